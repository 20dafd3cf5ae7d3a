import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { openDesk } from './desk.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ data: z.string().min(1), files: z.string().min(1) });
const filesACall = 500;

/** Every file of a folder into a draft, as the desktop does it: not copied, hashed where it is. */
export async function benchStage(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, files: { type: 'string' } } });
  const { data, files: folder } = options.parse(values);
  const desk = await openDesk(data, null);
  try {
    const names = await readdir(folder);
    const staged = await Promise.all(names.map((name) => desk.stage(join(folder, name))));
    const begun = performance.now();
    for (let at = 0; at < staged.length; at += filesACall) {
      await desk.ask('uploads.add', { workspaceId: labWorkspaceId, files: staged.slice(at, at + filesACall).map(({ id }) => ({ id, path: '' })) });
    }
    const { leftOut, toSend } = await desk.drafted(labWorkspaceId);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMiB: residentMiB(), hashed: toSend.files + leftOut.files };
  } finally {
    await desk.close();
  }
}

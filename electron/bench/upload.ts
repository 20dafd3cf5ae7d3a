import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addRepository, openDesk } from './desk.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ data: z.string().min(1), 'base-url': z.url(), token: z.string().min(1), file: z.string().min(1) });

/** One file to a repository, asked for before and confirmed afterwards. It is hashed before the clock runs: that is done while a person reviews. */
export async function benchUpload(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, 'base-url': { type: 'string' }, token: { type: 'string' }, file: { type: 'string' } } });
  const { data, 'base-url': baseUrl, token, file } = options.parse(values);
  const desk = await openDesk(data, null);
  try {
    const workspaceId = await addRepository(desk, baseUrl, token);
    const { id } = await desk.stage(file);
    await desk.ask('uploads.add', { workspaceId, files: [{ id, path: '' }] });
    await desk.drafted(workspaceId);
    const begun = performance.now();
    const job = await desk.ask('uploads.send', { workspaceId });
    const { counts } = await desk.done(job.id);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMiB: residentMiB(), stored: counts.done };
  } finally {
    await desk.close();
  }
}

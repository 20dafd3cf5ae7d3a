import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addRepository, openHost } from './host.ts';
import { residentMiB } from './resident.ts';

const text = { type: 'string' } as const;
const options = z.object({
  data: z.string().min(1),
  'base-url': z.url(),
  token: z.string().min(1),
  file: z.string().min(1).optional(),
  files: z.string().min(1).optional(),
});
/** As many as the page adds at once. */
const filesACall = 500;

/**
 * One file, or those of a folder, to a repository: asked for before and confirmed afterwards. They are hashed before
 * the clock runs: that is done while a person reviews.
 */
export async function benchUpload(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { data: text, 'base-url': text, token: text, file: text, files: text },
  });
  const { data, 'base-url': baseUrl, token, file, files: folder } = options.parse(values);
  const paths = folder === undefined ? [file ?? ''] : (await readdir(folder)).map((name) => join(folder, name));
  const host = await openHost(data, null);
  try {
    const workspaceId = await addRepository(host, baseUrl, token);
    const staged = await Promise.all(paths.map((path) => host.stage(path)));
    for (let at = 0; at < staged.length; at += filesACall) {
      await host.ask('uploads.add', {
        workspaceId,
        files: staged.slice(at, at + filesACall).map(({ id }) => ({ id, path: '' })),
      });
    }
    await host.drafted(workspaceId);
    const begun = performance.now();
    const job = await host.ask('uploads.send', { workspaceId });
    const { counts } = await host.done(job.id);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMiB: residentMiB(), stored: counts.done };
  } finally {
    await host.close();
  }
}

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { addRepository, type BenchDesk, openDesk } from './desk.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ data: z.string().min(1), files: z.string().min(1) });
/** As many as the page adds at once. */
const filesACall = 500;
const filesAWindow = 1000;
/** So many keep both threads busy. */
const filesBefore = 256;
const nobody = 'http://127.0.0.1:9';

/**
 * Every file of a folder into a draft, as the desktop does it, not copied: from the first of them until the draft can be sent.
 * `listing` is the SHA-256 over `md5 sha1 sha256 name` of each, a line each, sorted.
 */
export async function benchStage(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, files: { type: 'string' } } });
  const { data, files: folder } = options.parse(values);
  const desk = await openDesk(data, null);
  try {
    const paths = (await readdir(folder)).map((name) => join(folder, name));
    // A thread that runs from source takes long to start, which says nothing of what is shipped.
    await staged(desk, await addRepository(desk, nobody), paths.slice(0, filesBefore));
    const begun = performance.now();
    await staged(desk, labWorkspaceId, paths);
    const seconds = (performance.now() - begun) / 1000;
    const resident = residentMiB();
    return { seconds, residentMiB: resident, listing: await listingOf(desk) };
  } finally {
    await desk.close();
  }
}

async function staged(desk: BenchDesk, workspaceId: string, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += filesACall) {
    const files = await Promise.all(paths.slice(at, at + filesACall).map((path) => desk.stage(path)));
    await desk.ask('uploads.add', { workspaceId, files: files.map(({ id }) => ({ id, path: '' })) });
  }
  await desk.drafted(workspaceId);
}

async function listingOf(desk: BenchDesk): Promise<string> {
  const lines: string[] = [];
  for (let offset = 0, total = 1; offset < total; offset += filesAWindow) {
    const page = await desk.ask('uploads.files', { workspaceId: labWorkspaceId, offset, limit: filesAWindow });
    total = page.total;
    for (const { name, state, failure, md5, sha1, sha256, strip } of page.files) {
      if (state !== 'ready' || strip === null) throw new Error(`${name} is ${state}, ${strip === null ? 'not looked at' : 'looked at'}: ${JSON.stringify(failure)}`);
      lines.push(`${String(md5)} ${String(sha1)} ${String(sha256)} ${name}\n`);
    }
  }
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex');
}

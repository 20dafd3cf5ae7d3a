import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { startProgram } from '../program.ts';
import { dataOf, startOf, makeFolders, startVitrine } from './vitrine.ts';
import { mountSmallDisk } from './small-disk.ts';
import { filesIn } from './zip-members.ts';

/**
 * Starts Vitrine on a disk that can only be read.
 *
 * @returns what does not hold, in words; null when the start is refused in a sentence and nothing was changed
 */
export async function faultOfReadOnly(folder: string): Promise<string | null> {
  await mkdir(folder);
  const disk = await mountSmallDisk(folder);
  try {
    await makeFolders(folder);
    await (await startVitrine(folder)).program.stop();
    await disk.forbidWriting();
    await assertRefused(folder);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await disk.close();
  }
}

async function assertRefused(folder: string): Promise<void> {
  const before = await bytesOf(folder);
  const { entry, args, environment } = startOf(folder);
  const program = startProgram(entry, args, environment);
  const end = await Promise.race([program.exited, program.printed(/Ctrl-C to stop/)]);
  assert.equal(end, 1, program.output());
  assert.match(program.output(), /Cannot write to this folder/);
  assert.deepEqual(await bytesOf(folder), before);
}

const bytesOf = async (folder: string): Promise<[string, string][]> =>
  Promise.all(
    (await filesIn(dataOf(folder))).map(async (path): Promise<[string, string]> => [
      path,
      (await readFile(path)).toString('base64'),
    ]),
  );

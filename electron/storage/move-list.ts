import { createReadStream, existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { syncFolder } from '../base/files.ts';
import { writeFileAtomic } from './atomic-file.ts';
import type { CopiedFile, FolderContent } from './folder-copy.ts';
import { readJson } from './stored-json.ts';

/** Lies in the new folder, so that it comes and goes with the copy it tells of. */
export const moveListName = 'moved-from.jsonl';

const size = z.number().int().nonnegative();
const longestNameBytes = 255;
const isName = (part: string): boolean => !part.includes('\0') && Buffer.byteLength(part) <= longestNameBytes;
export const pathInside = z
  .string()
  .refine(
    (path) =>
      path.split(sep).every(isName) &&
      path !== '' &&
      !isAbsolute(path) &&
      normalize(path) === path &&
      path.split(sep)[0] !== '..' &&
      path !== '.',
  );
const head = z.object({ from: z.string().refine(isAbsolute), bytes: size });
const entry = z.union([
  z.object({ folder: pathInside }),
  z.object({ path: pathInside, sizeBytes: size, changedMs: z.number() }),
]);
export type MoveListHead = z.infer<typeof head>;
type MoveListEntry = { folder: string } | CopiedFile;

const listPath = (directory: string): string => join(directory, moveListName);

/**
 * Says in the new folder where its data is from, and of what: a line for each, as there may be some hundred thousand.
 * Fails as `writeFileAtomic` does.
 */
export async function writeMoveList(
  directory: string,
  told: MoveListHead,
  { folders, files }: FolderContent,
): Promise<void> {
  const lines = [told, ...folders.map((folder) => ({ folder })), ...files].map((line) => JSON.stringify(line));
  await writeFileAtomic(listPath(directory), `${lines.join('\n')}\n`);
}

/** null: this folder was not moved to, or its old copy was removed, or the list cannot be read. */
export async function readMoveListHead(directory: string): Promise<MoveListHead | null> {
  for await (const line of linesOf(directory)) return head.safeParse(readJson(line)).data ?? null;
  return null;
}

/**
 * What was copied, folders first, each in front of those in it. A line that cannot be read proves nothing and is left
 * out.
 */
export async function* readMoveList(directory: string): AsyncGenerator<MoveListEntry, void, void> {
  for await (const line of linesOf(directory)) {
    const read = entry.safeParse(readJson(line));
    if (read.success) yield read.data;
  }
}

/**
 * The old copy is gone: the list that tells of it goes too. If that folder had been moved to itself, there is an older
 * copy still, and its list is the one to keep. Fails as `writeFileAtomic` does.
 */
export async function replaceMoveList(directory: string, gone: string): Promise<void> {
  const older = await readMoveListHead(gone);
  if (older !== null && older.from !== directory)
    return writeFileAtomic(listPath(directory), await readFile(listPath(gone)));
  await rm(listPath(directory), { force: true });
  await syncFolder(directory);
}

async function* linesOf(directory: string): AsyncGenerator<string, void, void> {
  if (!existsSync(listPath(directory))) return;
  const bytes = createReadStream(listPath(directory), 'utf8');
  try {
    yield* createInterface({ input: bytes, crlfDelay: Infinity });
  } finally {
    bytes.destroy();
  }
}

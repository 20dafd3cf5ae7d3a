import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { makeChildFolder, syncFolder } from '../../base/files.ts';

/** `changedMs` is when its bytes were last changed, in the system's own precision. */
export interface CopiedFile {
  path: string;
  sizeBytes: number;
  changedMs: number;
}

export interface FolderContent {
  /** Relative paths, each behind the folder it lies in. */
  folders: string[];
  files: CopiedFile[];
}

export interface CopyRules {
  /** Relative paths that stay behind. */
  leftOut: Pick<ReadonlySet<string>, 'has'>;
  /**
   * Names of folders whose content may be lost. In them the copy leaves out entries that are neither a file nor a
   * folder, entries that disappear meanwhile, and files that another process holds.
   */
  loose: ReadonlySet<string>;
  /** Others write to it meanwhile: what goes while it is walked is not there. */
  isInUse: boolean;
  /** What is refused when there is a link. */
  refusal: 'move-refused' | 'backup-refused';
}

/** What was copied, as it arrived. */
export interface Copied {
  sizeBytes: number;
  sha256: string;
}

/**
 * Everything in a folder that can be copied. Fails with `refusal` at a link, a socket or a device: what it leads to may
 * be shared with others, and only the person knows whether it is to go along. Fails with `disk-failed`.
 */
export async function contentOf(root: string, rules: CopyRules): Promise<FolderContent> {
  const content: FolderContent = { folders: [], files: [] };
  await reading(root, () => gather(root, '', rules, content));
  return content;
}

async function gather(root: string, folder: string, rules: CopyRules, content: FolderContent): Promise<void> {
  for (const entry of (await ifThere(readdir(join(root, folder), { withFileTypes: true }), folder, rules)) ?? []) {
    const path = join(folder, entry.name);
    if (rules.leftOut.has(path)) continue;
    if (entry.isFile()) {
      const facts = await ifThere(lstat(join(root, path)), path, rules);
      if (facts !== null) content.files.push({ path, sizeBytes: facts.size, changedMs: facts.mtimeMs });
    } else if (entry.isDirectory()) {
      content.folders.push(path);
      await gather(root, path, rules, content);
    } else if (!isLoose(folder, rules)) fail({ kind: rules.refusal, path: join(root, path), reason: 'link' });
  }
}

export const sizeOf = ({ files }: FolderContent): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/**
 * Copies it into an empty folder, for its owner only and safe from a power cut, and reads every file back: one whose
 * SHA-256 is another fails with `disk-failed`. Throws the system's errors of writing.
 */
export async function copyContent(content: FolderContent, from: string, to: string, rules: CopyRules): Promise<void> {
  for (const folder of content.folders) await makeChildFolder(join(to, folder));
  for (const { path } of content.files) {
    const source = await openToCopy(from, path, rules);
    if (source !== null) await copyFile(source, join(to, path));
  }
  for (const folder of content.folders.toReversed()) await syncFolder(join(to, folder));
  await syncFolder(to);
}

/** A file among what was found to be copied; null where the rules let it go meanwhile. Fails with `disk-failed`. */
export function openToCopy(root: string, path: string, rules: CopyRules): Promise<FileHandle | null> {
  return reading(join(root, path), () => ifThere(open(join(root, path), 'r'), path, rules));
}

export interface CopyPart {
  /** Where it is read, to be named when that fails. */
  from?: string;
  /** So many of its first bytes; all of them when it is left out. */
  atMostBytes?: number;
  /** Called for each piece that was read. An error thrown here ends the copy. */
  onBytes?(bytes: number): void;
}

/**
 * Copies one file to a path where there is none, for its owner only and safe from a power cut, and reads it back; the
 * source is closed. Fails with `disk-failed` when what was kept is not what was read, and when it cannot be read and
 * `from` is said. Throws the system's errors.
 */
export async function copyFile(
  source: FileHandle,
  to: string,
  { from, atMostBytes, onBytes = () => {} }: CopyPart = {},
): Promise<Copied> {
  const read = createHash('sha256');
  // A stream that ends before its first byte cannot be asked for.
  const bytes: Readable =
    atMostBytes === 0
      ? Readable.from([])
      : source.createReadStream(atMostBytes === undefined ? {} : { end: atMostBytes - 1 });
  let sizeBytes = 0;
  const passed = (size: number): void => {
    sizeBytes += size;
    onBytes(size);
  };
  try {
    // Not a pipeline of streams alone: that fails with the error of the first one, which names no file.
    await pipeline(
      passing(from === undefined ? bytes : readFrom(bytes, from), read, passed),
      createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
    );
  } finally {
    await source.close();
  }
  const sha256 = read.digest('hex');
  if ((await digestOf(to)) !== sha256) fail({ kind: 'disk-failed', path: to, code: 'ALTERED' });
  return { sizeBytes, sha256 };
}

/** SHA-256 of a file. Throws the system's errors. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The same bytes; where they cannot be read that fails with `disk-failed` and names the path. */
export async function* readFrom(bytes: AsyncIterable<Buffer>, path: string): AsyncIterable<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === null ? error : new FailureError({ kind: 'disk-failed', path, code }, { cause: error });
  }
}

async function* passing(
  bytes: AsyncIterable<Buffer>,
  hash: Hash,
  passed: (size: number) => void,
): AsyncIterable<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    passed(chunk.length);
    yield chunk;
  }
}

const isLoose = (path: string, { loose }: CopyRules): boolean => loose.has(path.split(sep)[0] ?? '');

/** In a folder that no one writes to, an entry that disappears means a failing disk. */
async function ifThere<T>(work: Promise<T>, path: string, rules: CopyRules): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' && (rules.isInUse || isLoose(path, rules))) return null;
    if (code === 'EBUSY' && isLoose(path, rules)) return null;
    throw error;
  }
}

/**
 * A refused permission to read does not show whether writing here is possible. Fails with `disk-failed`, and as the
 * work does.
 */
export async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return fail({ kind: 'disk-failed', path, code }, error);
  }
}

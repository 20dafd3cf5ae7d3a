import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { makeChildFolder } from '../disk/make-child-folder.ts';
import { syncFolder } from '../disk/move-into-place.ts';

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
  leftOut: ReadonlySet<string>;
  /** Names of folders that can be lost without loss: in them stays behind what is neither a file nor a folder, what goes meanwhile, and what somebody holds. */
  loose: ReadonlySet<string>;
  /** Others write to it meanwhile: what goes while it is walked is not there. */
  isInUse: boolean;
}

/**
 * Everything in a folder that can be copied. Fails with `move-refused` at a link, a socket or a device: what it leads to may be
 * shared with others, and only the person knows whether it is to go along. Fails with `disk-failed`.
 */
export async function contentOf(root: string, rules: CopyRules): Promise<FolderContent> {
  const content: FolderContent = { folders: [], files: [] };
  await reading(root, () => gather(root, '', rules, content));
  return content;
}

async function gather(root: string, folder: string, rules: CopyRules, content: FolderContent): Promise<void> {
  for (const entry of await ifThere(readdir(join(root, folder), { withFileTypes: true }), folder, rules) ?? []) {
    const path = join(folder, entry.name);
    if (rules.leftOut.has(path)) continue;
    if (entry.isFile()) {
      const facts = await ifThere(lstat(join(root, path)), path, rules);
      if (facts !== null) content.files.push({ path, sizeBytes: facts.size, changedMs: facts.mtimeMs });
    } else if (entry.isDirectory()) {
      content.folders.push(path);
      await gather(root, path, rules, content);
    } else if (!isLoose(folder, rules)) fail({ kind: 'move-refused', path: join(root, path), reason: 'link' });
  }
}

export const sizeOf = ({ files }: FolderContent): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/**
 * Copies it into an empty folder, for its owner only and safe from a power cut, and reads every file back: one whose SHA-256 is
 * another fails with `disk-failed`. Throws the system's errors of writing.
 */
export async function copyContent(content: FolderContent, from: string, to: string, rules: CopyRules): Promise<void> {
  for (const folder of content.folders) await makeChildFolder(join(to, folder));
  for (const { path } of content.files) {
    const source = await reading(join(from, path), () => ifThere(open(join(from, path), 'r'), path, rules));
    if (source !== null) await copyFile(source, join(to, path));
  }
  for (const folder of content.folders.toReversed()) await syncFolder(join(to, folder));
  await syncFolder(to);
}

async function copyFile(source: FileHandle, to: string): Promise<void> {
  const read = createHash('sha256');
  await pipeline(source.createReadStream(), (bytes) => passing(bytes, read), createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
  const kept = createHash('sha256');
  await pipeline(createReadStream(to), kept);
  if (kept.digest('hex') !== read.digest('hex')) fail({ kind: 'disk-failed', path: to, code: 'ALTERED' });
}

async function* passing(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncIterable<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

const isLoose = (path: string, { loose }: CopyRules): boolean => loose.has(path.split(sep)[0] ?? '');

/** In a folder that nobody writes to, what is not there any more is a disk in trouble. */
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

/** A refused permission says nothing about writing here. */
async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return fail({ kind: 'disk-failed', path, code }, error);
  }
}

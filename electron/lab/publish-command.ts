import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveLimits, type ArchiveLimits } from '../../shared/domain/opened-archive.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { isArchiveName, isRuleFileName } from '../../shared/domain/rule-names.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { FailureError } from '../../shared/failure.ts';
import { readZipAt } from '../archive/reading/zip-random.ts';
import type { RandomAccess } from '../archive/reading/zip-source.ts';
import { packageLimits } from '../rules/package-files.ts';
import { type CollectedRules, RuleCollection } from '../rules/rule-collection.ts';
import { encodingOf, utf8OfLatin1 } from '../rules/rule-encoding.ts';
import { WrongArguments } from './command-line.ts';
import type { LabPlace, TaskOf, Terminal } from './commands.ts';
import { gathered, refusedPath } from './package-archive.ts';
import { Publisher } from './publisher.ts';
import { readable } from './readable-file.ts';

/** Why there is no publication now; what is wrong with the rules was said before. */
export class NothingPublished extends Error {
  override readonly name = 'NothingPublished';
}

/**
 * Publishes rules of this computer. A line `<id> <version>` when it did; broken rules are a line each, and so is what
 * was left out. @throws NothingPublished
 */
export async function publishFiles(
  { version, group, files: named, leavesOutBroken, converts }: TaskOf<'publish'>,
  place: LabPlace,
  terminal: Terminal,
): Promise<void> {
  const { files: read, unread, reading } = await collectRules(named, converts);
  for (const broken of unread) terminal.remark(lineOf(broken));
  if (reading.leftOut > 0) terminal.remark(`Other files skipped: ${reading.leftOut}`);
  if (reading.links > 0) terminal.remark(`Links not followed: ${reading.links}`);
  if (unread.length > 0 && !leavesOutBroken)
    throw new NothingPublished(`Nothing was published: ${unread.length} cannot be read.`);
  if (read.length === 0) throw new NothingPublished('Nothing was published: no rule files found.');
  const files = converts
    ? read.map(({ path, bytes }) => ({ path, bytes: encodingOf(bytes) === 'latin1' ? utf8OfLatin1(bytes) : bytes }))
    : read;
  const draft = { version, group, files, leavesOutBroken };
  const stores = await place.stores(
    'publish to it, in Vitrine under Publications or with a token that has the right publish',
  );
  try {
    const outcome = await new Publisher(stores).publish(draft, new AbortController().signal);
    switch (outcome.kind) {
      case 'published':
        for (const broken of outcome.leftOut) terminal.remark(lineOf(broken));
        if (outcome.leftOut.length > 0) terminal.remark(`Skipped: ${outcome.leftOut.length} broken.`);
        return terminal.result(`${outcome.publication.id}  ${version}`);
      case 'version-taken':
        throw new NothingPublished(`Version ${version} is already published.`);
      case 'broken':
        for (const broken of outcome.broken) terminal.remark(lineOf(broken));
        throw new NothingPublished(`Nothing was published: ${outcome.broken.length} broken.`);
    }
  } finally {
    await stores.close();
  }
}

/** As compilers write it. Names come from the files and must not act on a terminal. */
function lineOf({ file, line, rule, text }: BrokenRule): string {
  return visibleLine(`${file}:${line}: ${rule === null ? '' : `${rule}: `}${text}`);
}

interface Named {
  path: string;
  name: string;
}

/** Repositories of rules hold other files beside them. */
const limits: ArchiveLimits = { ...archiveLimits, members: 60_000 };
/** Deeper than folders of people go. */
const deepest = 64;

/** Files, folders and ZIPs as one package, read as Vitrine reads them. @throws WrongArguments, UnreadableFile */
async function collectRules(named: readonly Named[], readsUnmarked: boolean): Promise<CollectedRules> {
  const collection = new RuleCollection({ readsUnmarked });
  try {
    for (const one of named) await collect(collection, one, named.length === 1);
  } catch (error) {
    if (error instanceof FailureError)
      throw new WrongArguments(`${sentenceFor(error.failure).what}. ${sentenceFor(error.failure).then}`);
    throw error;
  }
  const collected = collection.collected();
  const seen = new Set<string>();
  for (const { path } of collected.files) {
    const refusal = refusedPath(path);
    if (refusal !== null) throw new WrongArguments(refusal);
    if (seen.has(path))
      throw new WrongArguments(`${JSON.stringify(path)} is there twice; --root keeps files of one name apart.`);
    seen.add(path);
  }
  return collected;
}

async function collect(collection: RuleCollection, { path, name }: Named, isOnly: boolean): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) await collectFolder(collection, { path, name: isOnly ? '' : name }, 1);
  else if (isArchiveName(name))
    await collectArchive(collection, { path, name: isOnly ? '' : name.replace(/\.zip$/i, '') });
  else {
    const refusal = refusedPath(name);
    if (refusal !== null) throw new WrongArguments(refusal);
    await add(collection, path, name);
  }
}

/** Links are not followed. */
async function collectFolder(collection: RuleCollection, { path, name }: Named, depth: number): Promise<void> {
  if (depth > deepest) return collection.refuse(name, `It is deeper than ${deepest} folders`);
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = { path: join(path, entry.name), name: inside(name, entry.name) };
    if (entry.isDirectory()) await collectFolder(collection, below, depth + 1);
    else if (entry.isSymbolicLink()) collection.leaveOut('links');
    else if (entry.isFile() && isRuleFileName(entry.name)) await add(collection, below.path, below.name);
    else collection.leaveOut('leftOut');
  }
}

async function collectArchive(collection: RuleCollection, { path, name }: Named): Promise<void> {
  for await (const part of readZipAt(accessTo(await bytesOf(collection, path)), {
    archiveName: path,
    passwords: [],
    limits,
    isStrict: true,
  })) {
    if (!isRuleFileName(part.name)) collection.leaveOut('leftOut');
    else if (part.kind === 'refused') collection.refuse(inside(name, part.name), sentenceFor(part.failure).what);
    else {
      const bytes = await gathered(part.chunks, collection.bytesLeft);
      await collection.add(inside(name, part.name), bytes ?? tooLarge());
    }
  }
}

const inside = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const add = async (collection: RuleCollection, path: string, name: string): Promise<void> =>
  collection.add(name, await bytesOf(collection, path));
const bytesOf = async (collection: RuleCollection, path: string): Promise<Uint8Array> =>
  (await gathered(readable(path), collection.bytesLeft)) ?? tooLarge();

function tooLarge(): never {
  throw new WrongArguments(`The files of a package have at most ${packageLimits.bytes} bytes together.`);
}

const accessTo = (bytes: Uint8Array): RandomAccess => ({
  sizeBytes: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
});

import { userInfo } from 'node:os';
import { platform } from 'node:process';
import { currentInstant } from '../../shared/domain/clock.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { FailureError } from '../../shared/failure.ts';
import { isOpenToOthers } from '../base/owned-file.ts';
import { makeDataDirectory } from '../storage/directory/private-files.ts';
import { type LabCommand, type LabTask, WrongArguments } from './command-line.ts';
import { OperatorError } from './errors.ts';
import { type Lab, startLab, sweep } from './lab.ts';
import { openStoppedLab } from './host-channel.ts';
import { readable, readPasswordFile } from './readable-file.ts';
import { type BlobStore, type LabStores, sweptAfterMs, takeIn, type TakenIn } from './stores/blob-store.ts';
import { openSqliteMetadata } from './stores/folder/sqlite-metadata-store.ts';
import type { MetadataStore, StoredBlob } from './stores/metadata-store.ts';
import { mintToken, tokenDigest } from './tokens.ts';

/** Where a command's words go: results to one, everything else to the other, so that a script can use the results. */
export interface Terminal {
  result: (line: string) => void;
  remark: (line: string) => void;
  report: (error: unknown) => void;
}

export type TaskOf<K extends LabTask['kind']> = Extract<LabTask, { kind: K }>;

/** The data that commands work on. */
export interface LabPlace {
  /**
   * Fails where a lab is running that does not share its data: `otherwise` is how the same is done with it, as the end
   * of a sentence.
   */
  stores(otherwise: string): Promise<LabStores>;
  /** Works beside running labs. */
  metadata(): Promise<MetadataStore>;
}

export const folderPlace = (dataDirectory: string): LabPlace => ({
  stores: (otherwise) => openStoppedLab(dataDirectory, otherwise),
  metadata: async () => {
    makeDataDirectory(dataDirectory);
    return openSqliteMetadata(dataDirectory);
  },
});

/** Serves until the lab is closed. */
export async function serve(
  { dataDirectory, port, limits, passwordFile }: Extract<LabCommand, { kind: 'serve' }>,
  terminal: Terminal,
): Promise<Lab> {
  const packagePassword = passwordFile === null ? null : await readPasswordFile(passwordFile);
  const lab = await startLab({ dataDirectory, port, limits, packagePassword, session: null, report: terminal.report });
  terminal.result(`Lab repository: http://127.0.0.1:${lab.port}/repository/api.php`);
  terminal.remark(`Lab rule editor: http://127.0.0.1:${lab.port}/rules/api.php`);
  terminal.remark(`Data: ${visibleLine(dataDirectory)}. Press Ctrl-C to stop.`);
  if (isOpenToOthers(dataDirectory))
    terminal.remark(
      'The disk of the data has no permissions of its own: other users may be able to read and change it.',
    );
  terminal.remark(
    'Create a token in another terminal: npm run lab -- token add --rights read,download ' +
      `--data ${visibleLine(shellWord(dataDirectory))}`,
  );
  const [example] = lab.sampleFiles;
  if (example) terminal.remark(`An MD5 to look up: ${example.md5} (${example.name})`);
  return lab;
}

/** As a shell reads one word, whatever it holds. */
const shellWord = (text: string): string => (platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`);

/** Enough that the disk does not wait for the next file. */
const filesAtOnce = 8;

/**
 * Takes files in, some at a time, without reading a whole one into memory. A line `<md5>  <name>` each, in their order.
 * Ends at the first that fails; those before it, and some after it, are in.
 */
export async function addFiles(
  { files, tags, restricted }: TaskOf<'add'>,
  place: LabPlace,
  terminal: Terminal,
): Promise<void> {
  const stores = await place.stores('upload the files to it with a token that has the right upload');
  const facts = {
    mime: null,
    threat: null,
    criticity: 3 as const,
    tags,
    restricted,
    virusTotal: false,
    sandbox: false,
    uploader: userInfo().username,
  };
  const add = ({ path, name }: NamedFile): Promise<TakenIn> =>
    takeIn(stores, readable(path), { ...facts, name, uploaded: currentInstant() }, []);
  try {
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const some = files.slice(at, at + filesAtOnce);
      const settled = await Promise.allSettled(some.map(add));
      for (const [index, outcome] of settled.entries()) report(terminal, some[index]?.name ?? '', outcome);
    }
  } finally {
    await stores.close();
  }
}

type NamedFile = TaskOf<'add'>['files'][number];

function report(terminal: Terminal, name: string, taken: PromiseSettledResult<TakenIn>): void {
  if (taken.status === 'rejected') throw taken.reason;
  terminal.result(`${taken.value.hashes.md5}  ${visibleLine(name)}`);
  if (taken.value.outcome === 'already-here') terminal.remark('Already stored; the record was not changed.');
}

/** The token counts from the next request on. */
export async function addToken(
  { rights, name }: TaskOf<'token-add'>,
  place: LabPlace,
  terminal: Terminal,
): Promise<void> {
  const token = mintToken();
  await withMetadata(place, (metadata) =>
    metadata.addToken({ name, sha256: tokenDigest(token), rights, created: currentInstant() }),
  );
  terminal.remark(`Token for ${visibleLine(name)}, rights ${rights.join(', ')}. It is not shown again:`);
  terminal.result(token);
}

export async function listTokens(place: LabPlace, terminal: Terminal): Promise<void> {
  const tokens = await withMetadata(place, (metadata) => metadata.tokens());
  if (tokens.length === 0) terminal.remark('No tokens.');
  for (const { id, name, rights, created, lastUsed } of tokens)
    terminal.result(`${id}\t${visibleLine(name)}\t${rights.join(',')}\t${created}\t${lastUsed ?? 'unused'}`);
}

export async function removeToken({ id }: TaskOf<'token-remove'>, place: LabPlace): Promise<void> {
  if (!(await withMetadata(place, (metadata) => metadata.removeToken(id))))
    throw new WrongArguments(`No token ${id}; see "token list".`);
}

/** Removes bytes that no sample and no publication has. */
export async function sweepBlobs({ olderThanMs }: TaskOf<'sweep'>, place: LabPlace, terminal: Terminal): Promise<void> {
  const stores = await place.stores('wait: it does so by itself every hour');
  try {
    terminal.result(`Removed: ${await sweep(stores, olderThanMs)}`);
  } finally {
    await stores.close();
  }
}

const pageOfBlobs = 1_000;
const verifiedAtOnce = 4;

/** A line for each damaged blob, and for each that no row names and that is older than a day. @throws OperatorError */
export async function verifyBlobs({ isQuick }: TaskOf<'verify'>, place: LabPlace, terminal: Terminal): Promise<void> {
  const stores = await place.stores('verify it when it has ended');
  let verified = 0;
  let damaged = 0;
  let unrecorded = 0;
  const verify = async (blob: StoredBlob): Promise<void> => {
    const reason = await damageOf(stores.blobs, blob, isQuick);
    verified += 1;
    if (reason === null) return;
    damaged += 1;
    terminal.result(`damaged\t${blob.sha256}\t${visibleLine(blob.place)}\t${reason}`);
  };
  try {
    for await (const page of blobPages(stores.metadata)) {
      const left = page.values();
      const verifyNext = async (): Promise<void> => {
        for (const blob of left) await verify(blob);
      };
      await Promise.all(Array.from({ length: verifiedAtOnce }, verifyNext));
    }
    unrecorded = await stores.blobs.sweep({
      olderThanMs: sweptAfterMs,
      isDryRun: true,
      unknownAmong: async (places) => {
        const unknown = await stores.metadata.unknownAmong(places);
        for (const one of unknown) terminal.result(`unrecorded\t\t${visibleLine(one)}`);
        return unknown;
      },
    });
  } finally {
    await stores.close();
  }
  terminal.remark(`Verified: ${verified}. Damaged: ${damaged}. Without a record: ${unrecorded}.`);
  if (damaged > 0) throw new OperatorError(`${damaged} of ${verified} are damaged or missing.`);
}

/** Null for bytes that are whole. */
async function damageOf(blobs: BlobStore, blob: StoredBlob, isQuick: boolean): Promise<string | null> {
  const range = isQuick && blob.sizeBytes > 0 ? { first: 0, last: 0 } : undefined;
  try {
    for await (const _ of blobs.read(blob, range));
    return null;
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'not-in-vault') return 'missing';
    if (error instanceof FailureError && error.failure.kind === 'vault-damaged') return 'altered';
    throw error;
  }
}

/** All bytes that rows name, a page at a time, by their SHA-256 in order. */
export async function* blobPages(metadata: MetadataStore): AsyncGenerator<StoredBlob[], void, void> {
  for (let last: string | null = null; ;) {
    const page: StoredBlob[] = await metadata.blobsAfter(last, pageOfBlobs);
    const end = page.at(-1);
    if (end === undefined) return;
    yield page;
    last = end.sha256;
  }
}

async function withMetadata<T>(place: LabPlace, work: (metadata: MetadataStore) => Promise<T>): Promise<T> {
  const metadata = await place.metadata();
  try {
    return await work(metadata);
  } finally {
    await metadata.close();
  }
}

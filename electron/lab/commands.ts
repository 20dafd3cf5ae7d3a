import { userInfo } from 'node:os';
import { platform } from 'node:process';
import { currentInstant } from '../../shared/domain/clock.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { isOpenToOthers } from '../base/owned-file.ts';
import { makeDataDirectory } from '../storage/directory/private-files.ts';
import type { LabCommand } from './command-line.ts';
import { type Lab, startLab, sweep } from './lab.ts';
import { readable, readPasswordFile } from './readable-file.ts';
import { openStoppedLab } from './host-channel.ts';
import { takeIn, type TakenIn } from './stores/blob-store.ts';
import { openSqliteMetadata } from './stores/folder/sqlite-metadata-store.ts';
import type { MetadataStore } from './stores/metadata-store.ts';
import { mintToken, tokenDigest } from './tokens.ts';

/** Where a command's words go: results to one, everything else to the other, so that a script can use the results. */
export interface Terminal {
  result: (line: string) => void;
  remark: (line: string) => void;
  report: (error: unknown) => void;
}

export type CommandOf<K extends LabCommand['kind']> = Extract<LabCommand, { kind: K }>;

/** Serves until the lab is closed. */
export async function serve(
  { dataDirectory, port, limits, passwordFile }: CommandOf<'serve'>,
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
  { dataDirectory, files, tags, restricted }: CommandOf<'add'>,
  terminal: Terminal,
): Promise<void> {
  const stores = await openStoppedLab(dataDirectory, 'upload the files to it with a token that has the right upload');
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

type NamedFile = CommandOf<'add'>['files'][number];

function report(terminal: Terminal, name: string, taken: PromiseSettledResult<TakenIn>): void {
  if (taken.status === 'rejected') throw taken.reason;
  terminal.result(`${taken.value.hashes.md5}  ${visibleLine(name)}`);
  if (taken.value.outcome === 'already-here') terminal.remark('Already stored; the record was not changed.');
}

/** Works beside a running lab: the token counts from the next request on. */
export async function addToken(
  { dataDirectory, rights, name }: CommandOf<'token-add'>,
  terminal: Terminal,
): Promise<void> {
  const token = mintToken();
  await withMetadata(dataDirectory, (metadata) =>
    metadata.addToken({ name, sha256: tokenDigest(token), rights, created: currentInstant() }),
  );
  terminal.remark(`Token for ${visibleLine(name)}, rights ${rights.join(', ')}. It is not shown again:`);
  terminal.result(token);
}

export async function listTokens({ dataDirectory }: CommandOf<'token-list'>, terminal: Terminal): Promise<void> {
  const tokens = await withMetadata(dataDirectory, (metadata) => metadata.tokens());
  if (tokens.length === 0) terminal.remark('No tokens.');
  for (const { id, name, rights, created, lastUsed } of tokens)
    terminal.result(`${id}\t${visibleLine(name)}\t${rights.join(',')}\t${created}\t${lastUsed ?? 'unused'}`);
}

/** False when there is no token with that number. */
export async function removeToken({ dataDirectory, id }: CommandOf<'token-remove'>): Promise<boolean> {
  return withMetadata(dataDirectory, (metadata) => metadata.removeToken(id));
}

/** Removes bytes that no sample and no publication has. */
export async function sweepBlobs(
  { dataDirectory, olderThanMs }: CommandOf<'sweep'>,
  terminal: Terminal,
): Promise<void> {
  const stores = await openStoppedLab(dataDirectory, 'wait: it does so by itself every hour');
  try {
    terminal.result(`Removed: ${await sweep(stores, olderThanMs)}`);
  } finally {
    await stores.close();
  }
}

async function withMetadata<T>(dataDirectory: string, work: (metadata: MetadataStore) => Promise<T>): Promise<T> {
  makeDataDirectory(dataDirectory);
  const metadata = openSqliteMetadata(dataDirectory);
  try {
    return await work(metadata);
  } finally {
    await metadata.close();
  }
}

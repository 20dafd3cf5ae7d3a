import type { HashSoup } from '../../shared/domain/hash-soup.ts';
import { allOf, encodingOf } from './all-input.ts';
import type { CommandRun } from './command.ts';
import type { NamedFile } from './file-input.ts';
import { textOf } from './option-values.ts';
import type { Terminal } from './terminal.ts';
import { wrongUsage } from './usage-error.ts';

export const hashesUsage = `Hashes come from the arguments, from --file FILE, or from standard input ("-", or a pipe): any text with MD5, SHA-1 or SHA-256 in
it, each of which is taken once. What looks meant as a hash and is none is told on standard error.`;

const oneHash = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** About two million hashes. */
const longestTextMiB = 64;
const mostRejectedTold = 20;
const mostShown = 80;

type Given = Pick<CommandRun, 'args' | 'options' | 'terminal' | 'signal'>;

/** What was given, each hash once, in lower case and in the order of its first appearance. @throws UsageError where there is none */
export async function givenHashes(given: Given): Promise<string[]> {
  const { args, options, terminal } = given;
  const [only] = args;
  if (args.length === 1 && only !== undefined && oneHash.test(only) && textOf(options, 'file') === null) return [only.toLowerCase()];
  const { readHashSoup } = await import('../../shared/domain/hash-soup.ts');
  const wrong = args.find((arg) => arg !== '-' && readHashSoup(arg).found.length === 0);
  if (wrong !== undefined) wrongUsage(`"${wrong.slice(0, mostShown)}" is no MD5, SHA-1 or SHA-256`);
  const soup = readHashSoup(await givenText(given));
  tellRejected(terminal, soup);
  if (soup.found.length === 0) wrongUsage('no MD5, SHA-1 or SHA-256 was given');
  if (soup.repeated > 0) terminal.say(`${soup.found.length.toLocaleString('en')} hashes; ${soup.repeated.toLocaleString('en')} came again`);
  return soup.found.map(({ value }) => value);
}

async function givenText({ args, options, terminal, signal }: Given): Promise<string> {
  const path = textOf(options, 'file');
  const typed = args.filter((arg) => arg !== '-').join('\n');
  const read = path === null ? '' : decoded(await fileBytes({ path, option: 'file', signal }));
  const isPiped = args.includes('-') || (args.length === 0 && path === null);
  // Lines are counted in what was given: nothing stands before it.
  return [typed, read, isPiped ? await pipedText(terminal) : ''].filter((text) => text !== '').join('\n\n');
}

async function fileBytes(file: NamedFile): Promise<Uint8Array> {
  return (await import('./file-input.ts')).fileBytes(file, longestTextMiB);
}

async function pipedText(terminal: Terminal): Promise<string> {
  const pieces = terminal.input() ?? wrongUsage('name a hash, or send some through standard input');
  return decoded(await allOf(pieces, longestTextMiB * 1024 * 1024, `more than ${longestTextMiB} MiB from standard input`));
}

/** What is no text holds no hashes, and does no harm. */
const decoded = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

function tellRejected(terminal: Terminal, { rejected, rejectedCount }: HashSoup): void {
  for (const { line, text } of rejected.slice(0, mostRejectedTold)) terminal.complain(`line ${line}: "${text}" is no MD5, SHA-1 or SHA-256`);
  if (rejectedCount > mostRejectedTold) terminal.complain(`${(rejectedCount - mostRejectedTold).toLocaleString('en')} more are no hashes`);
}

import type { RejectedRun } from '../../shared/domain/hash-extraction.ts';
import { many } from '../../shared/failure-sentence.ts';
import type { CommandRun, Flag } from './command.ts';
import { type ExitCode, exitCodes, wrongUsage } from './exit.ts';
import { allOf, type NamedFile } from './file-input.ts';
import { textOf } from './option-values.ts';
import type { Terminal } from './terminal.ts';

/** For the help of commands that take hashes. */
export const hashesHelp =
  'Hashes come from the arguments, from --file or from stdin ("-" or a pipe): any text with MD5, SHA-1 or SHA-256 ' +
  'in it. Malformed hashes are reported on stderr. If an argument is malformed, the exit code is 1.';
export const hashesFileFlag: Flag = { value: 'FILE', text: 'read the hashes from a file; - for stdin' };

const oneHash = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const leastDistinct = 16;
/** Recognized without loading the extractor. What repeats its beginning may be a placeholder. */
const isDigest = (typed: string): boolean =>
  oneHash.test(typed) && typed.indexOf(typed.slice(0, leastDistinct), 1) === -1;
/** About two million hashes. */
const longestTextMiB = 64;
const mostRejectedShown = 20;
const mostShown = 80;

type Given = Pick<CommandRun, 'args' | 'options' | 'terminal' | 'signal'>;

export interface GivenHashes {
  /** Each once, in lower case and in the order of their first appearance. */
  hashes: string[];
  /** Not 0 where an argument is not a hash. */
  code: ExitCode;
}

/** @throws UsageError where there are no hashes */
export async function givenHashes(given: Given): Promise<GivenHashes> {
  const { args, options, terminal } = given;
  const [only] = args;
  if (args.length === 1 && only !== undefined && isDigest(only) && textOf(options, 'file') === null)
    return { hashes: [only.toLowerCase()], code: exitCodes.done };
  const { extractHashes } = await import('../../shared/domain/hash-extraction.ts');
  const found = new Set<string>();
  let repeated = 0;
  const take = (value: string): void => {
    if (found.has(value)) repeated += 1;
    else found.add(value);
  };
  const typed = args.filter((arg) => arg !== '-').map((arg) => ({ arg, ...extractHashes(arg) }));
  const other = typed.find((one) => one.found.length === 0 && one.rejected.length === 0);
  if (other) wrongUsage(`"${other.arg.slice(0, mostShown)}" is not an MD5, SHA-1 or SHA-256`);
  for (const one of typed) for (const { value } of one.found) take(value);
  const rejected = new RejectedReport(terminal);
  for (const run of typed.flatMap((one) => one.rejected)) await rejected.add(run, '');
  await readTexts(given, take, rejected);
  rejected.end();
  if (found.size === 0) wrongUsage('no MD5, SHA-1 or SHA-256 found');
  if (repeated > 0)
    terminal.print(`${found.size === 1 ? '1 hash' : `${many(found.size)} hashes`}, ${many(repeated)} repeated`);
  return { hashes: [...found], code: typed.some((one) => one.rejectedCount > 0) ? exitCodes.failed : exitCodes.done };
}

async function readTexts(
  { args, options, terminal, signal }: Given,
  take: (value: string) => void,
  rejected: RejectedReport,
): Promise<void> {
  const path = textOf(options, 'file');
  const isPiped = args.includes('-') || path === '-' || (args.length === 0 && path === null);
  const texts: Uint8Array[] = [];
  if (path !== null && path !== '-') texts.push(await fileBytes({ path, option: 'file', signal }));
  if (isPiped) texts.push(await pipedBytes(terminal));
  const { readHashes } = await import('./hash-reading.ts');
  for (const bytes of texts) {
    const runs: RejectedRun[] = [];
    await readHashes(onePiece(bytes), { hash: ({ value }) => take(value), rejected: (run) => void runs.push(run) });
    for (const run of runs) await rejected.add(run, `line ${run.line}: `);
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

async function fileBytes(file: NamedFile): Promise<Uint8Array> {
  return (await import('./file-input.ts')).fileBytes(file, longestTextMiB);
}

async function pipedBytes(terminal: Terminal): Promise<Uint8Array> {
  const pieces = terminal.input() ?? wrongUsage('name a hash, or pipe text with hashes to stdin');
  return allOf(pieces, longestTextMiB * 1024 * 1024, `stdin has more than ${longestTextMiB} MiB`);
}

/** Reports malformed hashes on standard error, the first few by name. */
class RejectedReport {
  readonly #terminal: Terminal;
  #count = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async add({ text, reason }: RejectedRun, place: string): Promise<void> {
    this.#count += 1;
    if (this.#count > mostRejectedShown) return;
    const { reasonSentence } = await import('../../shared/domain/hash-extraction.ts');
    this.#terminal.complain(`${place}"${text}" is not a hash: ${reasonSentence(reason)}`);
  }

  end(): void {
    const more = this.#count - mostRejectedShown;
    if (more > 0)
      this.#terminal.complain(
        `${more.toLocaleString('en')} more ${more === 1 ? 'string is' : 'strings are'} not hashes. ` +
          'List them: vitrine hashes',
      );
  }
}

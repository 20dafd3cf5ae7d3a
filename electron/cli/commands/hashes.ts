import {
  type ExtractedHash,
  mostRejectedKept,
  reasonSentence,
  type RejectedRun,
} from '../../../shared/domain/hash-extraction.ts';
import type { RejectReason } from '../../../shared/domain/hash-runs.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { piecesOf, unreadable } from '../file-input.ts';
import { type GivenFile, namedPaths } from '../given-files.ts';
import { DistinctHashes, readHashes } from '../hash-reading.ts';
import { type Column, harmlessLine, Records } from '../records.ts';
import type { Terminal } from '../terminal.ts';

const pieceBytes = 256 * 1024;
/** Lines that are written at a time. */
const linesAtOnce = 500;
/** A row for a hash has no reason. */
const none = '-';

export const hashes: Command = {
  name: 'hashes',
  summary: 'extract MD5, SHA-1 and SHA-256 from text',
  usage: ['[FILE...]'],
  about:
    'Lists each hash once, with the line where it first appears, from files or stdin ("-"). Then lists ' +
    'strings that only look like a hash, with the reason: "uncertain" may be one hash or several, "rejected" ' +
    'is not a hash. Files may have any size, in UTF-8, UTF-16, UTF-32 or Latin-1. No service is ' +
    'contacted. Exits with 3 if there is no hash or a file cannot be read.',
  examples: ['vitrine hashes report.txt', 'vitrine hashes report.txt | grep ^sha256 | cut -f2'],
  run: async (run) => {
    const listing = new Listing(run.terminal);
    const paths = run.args.length === 0 ? ['-'] : run.args;
    let isAllRead = true;
    for (const file of await filesOf(paths)) isAllRead = (await readOne(run, file, listing)) && isAllRead;
    await listing.end();
    return isAllRead && listing.count > 0 ? exitCodes.done : (exitCodes.notFound satisfies ExitCode);
  },
};

type Named = Pick<GivenFile, 'path' | 'shown'>;

/** Each once. A path that names nothing fails when it is read. */
async function filesOf(typed: readonly string[]): Promise<Named[]> {
  const found = new Map<string, Named>();
  for (const given of typed) {
    const named = given === '-' ? [] : await namedPaths(given);
    for (const one of named.length === 0 ? [{ path: given, shown: given }] : named) found.set(one.path, one);
  }
  return [...found.values()];
}

/** Whether it could be read. */
async function readOne({ terminal, signal }: CommandRun, { path, shown }: Named, listing: Listing): Promise<boolean> {
  const pieces = path === '-' ? (terminal.input() ?? wrongUsage('name a file, or pipe text to stdin')) : null;
  try {
    const source = pieces ?? (await piecesOf(path, signal, pieceBytes));
    const sink = {
      hash: (hash: ExtractedHash) => listing.hash(hash, shown),
      rejected: (one: RejectedRun) => listing.rejected(one, shown),
    };
    await readHashes(source, sink, async () => listing.write());
    return true;
  } catch (error) {
    // Ctrl-C, wrong usage and a closed output are no failures of the file.
    if (signal.aborted || !(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error;
    terminal.complain(`${unreadable(path === '-' ? 'stdin' : visibleLine(shown), error)}.`);
    return false;
  }
}

const verdictOf = ({ kind }: RejectReason): string => (kind === 'unsure-wrap' ? 'uncertain' : 'rejected');

interface Listed {
  kind: string;
  text: string;
  line: number;
  file: string;
  reason: string | null;
}

const plainName = /^[\x20-\x7e]*$/;
const columns: readonly Column<Listed>[] = [
  { head: 'KIND', value: ({ kind }) => kind, isOwn: true },
  { head: 'HASH', value: ({ text }) => text, cut: 'hash', isMain: true },
  { head: 'LINE', value: ({ line }) => line, align: 'right' },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isOwn: true },
  { head: 'REASON', value: ({ reason }) => reason, cut: 'text', isOwn: true },
];

class Listing {
  readonly #terminal: Terminal;
  readonly #records: Records<Listed>;
  readonly #found = new DistinctHashes();
  #waiting: { hash: ExtractedHash; file: string }[] = [];
  #repeated = 0;
  readonly #rejected: (RejectedRun & { file: string })[] = [];
  #rejectedCount = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#records = new Records(terminal, columns, ({ reason }) => (reason === null ? null : 'quiet'));
  }

  /** Of distinct hashes. */
  get count(): number {
    return this.#found.count;
  }

  hash(hash: ExtractedHash, file: string): void {
    if (this.#found.add(hash.kind, hash.value)) this.#waiting.push({ hash, file });
    else this.#repeated += 1;
  }

  rejected(run: RejectedRun, file: string): void {
    this.#rejectedCount += 1;
    if (this.#rejected.length < mostRejectedKept) this.#rejected.push({ ...run, file });
  }

  async write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await this.#print(waiting, {
      json: ({ hash: { kind, value, line }, file }) => ({ kind, value, line, file }),
      row: ({ hash: { kind, value, line }, file }) => ({ kind, text: value, line, file, reason: null }),
    });
  }

  async end(): Promise<void> {
    await this.write();
    await this.#print(this.#rejected, {
      json: ({ text, line, file, reason }) => ({ rejected: text, reason, why: reasonSentence(reason), line, file }),
      row: ({ text, line, file, reason }) => ({
        kind: verdictOf(reason),
        text,
        line,
        file,
        reason: reasonSentence(reason),
      }),
    });
    if (!this.#terminal.isJson) await this.#records.end();
    const [repeated, rejected] = [this.#repeated, this.#rejectedCount].map((count) => count.toLocaleString('en'));
    const hashed = this.count === 1 ? '1 hash' : `${this.count.toLocaleString('en')} hashes`;
    const isCut = this.#rejectedCount > this.#rejected.length;
    const listed = isCut ? `, the first ${mostRejectedKept.toLocaleString('en')} listed` : '';
    this.#terminal.print(`${hashed}, ${repeated} repeated, ${rejected} rejected or uncertain${listed}`);
  }

  async #print<Item>(
    items: readonly Item[],
    shown: { json(item: Item): object; row(item: Item): Listed },
  ): Promise<void> {
    const { layout } = this.#terminal;
    if (layout === 'json') for (const item of items) await this.#terminal.json(shown.json(item));
    else if (layout !== 'plain') for (const item of items) await this.#records.add(shown.row(item));
    else
      for (let from = 0; from < items.length; from += linesAtOnce)
        await this.#terminal.line(
          items
            .slice(from, from + linesAtOnce)
            .map((item) => plainLine(shown.row(item)))
            .join('\n'),
        );
  }
}

/** Written without `Records`: there may be millions, which nothing can be hidden in but a file's name and a reason. */
function plainLine({ kind, text, line, file, reason }: Listed): string {
  const shownFile = plainName.test(file) ? file : visibleLine(file);
  return `${kind}\t${reason === null ? text : harmlessLine(text)}\t${line}\t${shownFile}\t${reason ?? none}`;
}

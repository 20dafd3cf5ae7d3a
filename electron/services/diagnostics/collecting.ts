import { currentInstant, currentTime } from '../../../shared/domain/clock.ts';
import { type DiagnosticsPart, diagnosticsParts, type MissingPart } from '../../../shared/domain/diagnostics.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/zip-member.ts';
import { startWorker } from '../../base/workers.ts';
import { aboutFacts, ownNames, type ProgramFacts } from './about-facts.ts';
import { collectedPart, type CollectingOrder, type FromCollector } from './collecting-messages.ts';

/** A database that does not answer must not keep the rest from being saved. */
const readWithinMs = 30_000;

const fileNames: Readonly<Record<DiagnosticsPart, string>> = {
  about: 'about.json',
  log: 'log.jsonl',
  settings: 'settings.json',
  failures: 'failures.json',
  jobs: 'jobs.json',
  database: 'database.json',
};

const inside: Readonly<Record<DiagnosticsPart, string>> = {
  about: 'versions of Vitrine and its components, system, memory, free disk space',
  log: 'the log, one entry per line: times, steps, error classes, places in Vitrine’s code',
  settings: 'the settings; workspaces and servers are numbered',
  failures: 'recent failures: operation, time and kind',
  jobs: 'number of jobs by kind and state',
  database: 'sizes, rows per table, and the integrity of the file',
};

export interface Diagnostics {
  fileName: string;
  bytes(): AsyncIterable<Uint8Array>;
  missing: MissingPart[];
}

export interface DiagnosticsSource extends Pick<CollectingOrder, 'isOpen' | 'secrets' | 'recent'> {
  program: ProgramFacts;
}

/**
 * Reads what a bug report needs: a few megabytes at most. Does not fail: a part that cannot be read is missing, with
 * the reason.
 */
export async function collectDiagnostics({ program, ...order }: DiagnosticsSource): Promise<Diagnostics> {
  const { dataDirectory } = program;
  const { texts, missing } = await readParts({ ...order, dataDirectory, names: ownNames(dataDirectory) });
  texts.set('about', `${JSON.stringify(aboutFacts(program), null, 2)}\n`);
  const files = diagnosticsParts.flatMap((part) => {
    const text = texts.get(part);
    return text === undefined ? [] : [member(fileNames[part], text)];
  });
  return {
    fileName: `vitrine-diagnostics-${currentTime()
      .toISOString()
      .replaceAll(/[-:]|\.\d+/g, '')}.zip`,
    bytes: () => writePlainZip([member('README.txt', readme(program.version, missing)), ...files]),
    missing,
  };
}

function member(name: string, text: string): ZipMember {
  const bytes = Buffer.from(text);
  return {
    name,
    sizeBytes: bytes.length,
    open: async function* open() {
      yield bytes;
    },
  };
}

interface ReadParts {
  texts: Map<DiagnosticsPart, string>;
  missing: MissingPart[];
}

/**
 * In a thread: the log is searched for much, and a large database read. Whatever it has not told when it ends, or is
 * late, is missing.
 */
async function readParts(order: CollectingOrder): Promise<ReadParts> {
  const texts = new Map<DiagnosticsPart, string>();
  const missing: MissingPart[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const worker = startWorker({ entry: './diagnostics-worker', beside: import.meta.url, workerData: order, onEnd: end });
  const timer = setTimeout(end, readWithinMs, 'timed-out');
  worker.on('message', (message: unknown) => {
    const told: FromCollector = collectedPart.parse(message);
    if (told.kind === 'part') texts.set(told.part, told.text);
    else if (told.kind === 'missing') missing.push({ part: told.part, reason: told.reason });
    else end('over');
  });
  const how = await ended;
  clearTimeout(timer);
  // Not waited for: a thread in the middle of a statement ends when that does.
  void worker.terminate();
  const isTold = (part: DiagnosticsPart): boolean => texts.has(part) || missing.some((one) => one.part === part);
  const untold = diagnosticsParts.filter((part) => part !== 'about' && !isTold(part));
  return { texts, missing: [...missing, ...untold.map((part) => ({ part, reason: how }))] };
}

const partLine = (part: DiagnosticsPart, text: string): string => `  ${fileNames[part].padEnd(15)}${text}`;

/** The list of the missing parts with a line end before and after it; empty if there are none. */
function missingText(missing: readonly MissingPart[]): string {
  const lines = missing.map(({ part, reason }) => partLine(part, reason));
  return lines.length === 0 ? '' : `\nMissing, with the reason\n${lines.join('\n')}\n`;
}

const readme = (
  version: string,
  missing: readonly MissingPart[],
): string => `Diagnostics of Vitrine ${version}, saved ${currentInstant()}

This file was saved on your computer. Nothing was sent.
Review it before you attach it to a report: all of it is plain text.

Included
${diagnosticsParts
  .filter((part) => !missing.some((one) => one.part === part))
  .map((part) => partLine(part, inside[part]))
  .join('\n')}
${missingText(missing)}
Never included
  Tokens, passphrases and passwords. Addresses and names of servers and workspaces.
  Your name, the name of this computer, and folder names.
  Names, hashes, tags, notes, comments and bytes of samples. Rule texts and rule names. Responses of services.
  Error messages are replaced by known phrases, because a message may quote any of these.
`;

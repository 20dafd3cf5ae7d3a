import { statfsSync } from 'node:fs';
import {
  arch,
  availableParallelism,
  freemem,
  homedir,
  hostname,
  platform,
  release,
  totalmem,
  uptime,
  userInfo,
} from 'node:os';
import { basename } from 'node:path';
import { z } from 'zod';
import { currentInstant, currentTime } from '../../../shared/domain/clock.ts';
import { type DiagnosticsPart, diagnosticsParts, type MissingPart } from '../../../shared/domain/diagnostics.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import { startWorker } from '../../base/workers.ts';
import { migrations } from '../../storage/migrations/migrations.ts';

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

interface Diagnostics {
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
 * In a thread: searching the log and reading a large database take long. Parts that it has not reported when it ends,
 * or is late, are missing.
 */
async function readParts(order: CollectingOrder): Promise<ReadParts> {
  const texts = new Map<DiagnosticsPart, string>();
  const missing: MissingPart[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const worker = startWorker({ entry: './diagnostics-worker', beside: import.meta.url, workerData: order, onEnd: end });
  const timer = setTimeout(end, readWithinMs, 'timed-out');
  worker.on('message', (message: unknown) => {
    const reported: FromCollector = collectedPart.parse(message);
    if (reported.kind === 'part') texts.set(reported.part, reported.text);
    else if (reported.kind === 'missing') missing.push({ part: reported.part, reason: reported.reason });
    else end('over');
  });
  const how = await ended;
  clearTimeout(timer);
  // Not waited for: a thread in the middle of a statement ends when that does.
  void worker.terminate();
  const isReported = (part: DiagnosticsPart): boolean => texts.has(part) || missing.some((one) => one.part === part);
  const unreported = diagnosticsParts.filter((part) => part !== 'about' && !isReported(part));
  return { texts, missing: [...missing, ...unreported.map((part) => ({ part, reason: how }))] };
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

/** Messages between the collector and its thread. */

export const collectingOrder = z.object({
  dataDirectory: z.string(),
  /** A program has the database open. Else nothing may be changed in the folder, and no file be left there. */
  isOpen: z.boolean(),
  /** What must not be in the file in any form: tokens and passwords that this program has used. */
  secrets: z.array(z.string()),
  /**
   * Names of this computer that are no secret and leave all the same: of the person, their home folder, the computer.
   */
  names: z.array(z.string()),
  /** Failures that the program that runs answered with, newest first. */
  recent: z.array(z.object({ time: z.string(), operation: z.string(), failure: z.unknown() })),
});
type CollectingOrder = z.infer<typeof collectingOrder>;

const collectedPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('part'), part: z.enum(diagnosticsParts), text: z.string() }),
  z.object({ kind: z.literal('missing'), part: z.enum(diagnosticsParts), reason: z.string() }),
  z.object({ kind: z.literal('over') }),
]);
export type FromCollector = z.infer<typeof collectedPart>;

export interface ProgramFacts {
  version: string;
  /** Of the npm packages that scan. */
  engines: Readonly<Record<string, string>>;
  /** null: a command that opened nothing. */
  host: { kind: 'desktop' | 'web'; isPackaged: boolean } | null;
  dataDirectory: string;
  /** What only a program that runs can say. */
  running: Readonly<Record<string, unknown>>;
}

/** The program and the computer it runs on, in versions and numbers. */
function aboutFacts({ version, engines, host, dataDirectory, running }: ProgramFacts): object {
  return {
    vitrine: {
      version,
      madeBy: host === null ? 'a command that read the data offline' : 'the running program',
      host: host?.kind ?? null,
      package: packageKind(host?.isPackaged ?? false),
      schemaVersion: migrations.length,
    },
    versions: { ...engines, ...ownVersions() },
    system: {
      platform: platform(),
      release: short(release()),
      architecture: arch(),
      locale: Intl.DateTimeFormat().resolvedOptions().locale,
      processors: availableParallelism(),
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      upSeconds: Math.round(uptime()),
    },
    process: { upSeconds: Math.round(process.uptime()), memory: process.memoryUsage() },
    dataDirectory: diskFacts(dataDirectory),
    running,
  };
}

const reported = ['node', 'electron', 'chrome', 'v8', 'sqlite', 'openssl', 'zlib', 'uv', 'modules'] as const;

function ownVersions(): Record<string, string> {
  const versions = z.record(z.string(), z.string().optional()).parse({ ...process.versions });
  return Object.fromEntries(reported.flatMap((name) => (versions[name] === undefined ? [] : [[name, versions[name]]])));
}

/** As electron-builder packs it, and where each of its packages lies. */
function packageKind(isPackaged: boolean): string {
  if (!isPackaged) return 'checkout';
  if (process.env['APPIMAGE'] !== undefined) return 'AppImage';
  if (process.platform === 'linux') return process.execPath.startsWith('/opt/') ? 'deb' : 'unpacked';
  return process.platform === 'win32' ? 'NSIS' : 'dmg';
}

/** Sizes in bytes, of the disk that the data lies on. `type` is the number that Linux gives a kind of file system. */
function diskFacts(directory: string): object {
  try {
    const { bsize, blocks, bavail, type } = statfsSync(directory);
    return { diskBytes: bsize * blocks, freeDiskBytes: bsize * bavail, type };
  } catch (error) {
    return { missing: error instanceof Error && 'code' in error ? error.code : 'unknown' };
  }
}

/** A kernel may be called anything by who built it. */
const short = (text: string): string => /^\d+(?:\.\d+){1,3}/.exec(text)?.[0] ?? 'unknown';

/** Names of this computer and its person that must not leave. */
function ownNames(dataDirectory: string): string[] {
  const home = homedir();
  return [dataDirectory, home, basename(home), hostname(), userName()].filter((name) => name !== '');
}

/** A user without an entry in the system's list has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

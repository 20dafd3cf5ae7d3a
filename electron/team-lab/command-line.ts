import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type LabTask, parse, readLabArguments, texts, unnamed, WrongArguments } from '../lab/command-line.ts';
import type { FormLimits } from '../lab/form-fields.ts';
import { sweptAfterMs } from '../lab/stores/blob-store.ts';
import type { MoveTask } from './move/move-command.ts';

export const teamUsage = `For a team: the lab over PostgreSQL and an S3-compatible store.
Usage: npm run lab -- COMMAND --database ADDRESS --blobs ADDRESS [options]
      --database ADDRESS      postgres://USER@HOST[:PORT]/NAME[?sslmode=verify-full]
      --blobs ADDRESS         s3://HOST[:PORT]/BUCKET[/PREFIX][?region=NAME]; s3+http:// without TLS
  check                       try what the lab needs of both, and remove it again
  migrate                     create the tables, or bring them to this release
      --stock                 add the sample files and starter rules
  serve                       serve until it is asked to end
      --listen HOST:PORT      (default 127.0.0.1:47118)
      --host NAME[:PORT]      a name that clients use for it; again for more
      --trusted-proxy ADDRESS believe the X-Forwarded-For of this address; again for more
      --metrics HOST:PORT     metrics for Prometheus at /metrics (default: none)
      --scan-by process|workers
                              what scans the files of scanfile: this process, two at a time, or
                              the processes of "work" (default: process)
      --requests-per-minute N of one token, in this process (default 6000)
      --drain SECONDS         report "not ready" for so long before it ends (default 0)
      --grace SECONDS         how long running requests may take then (default 30)
      and the limits and --package-password-file as for a folder
  work                        scan for hunts, and for labs with --scan-by workers, until it is
                              asked to end; run it on as many machines as needed
      --lanes N               samples scanned at a time (default: the processors)
      --metrics HOST:PORT     and --grace SECONDS as for serve
  hunt                        scan all samples with a publication, and follow it; Ctrl-C does not end it
      --version V             (default: the current one)
      --detach                print its number and return at once
  hunt list                   number, version, state, done/total, hits, failed, begun, and
                              why a hunt failed
  hunt cancel NUMBER          stop it; what was found stays
  hunt failed NUMBER          samples that could not be scanned, and why
  add, publish, token, sweep, verify
                              as for a folder, beside labs that are running; a token
                              needs a --name, and a sweep leaves what is younger than
                              24 hours
  move                        copy a lab of a folder into these servers, or back; it can be
                              interrupted, and continues with the same command
      --data DIR              from this folder, which stays as it is; its lab must not be
                              running. Tokens that were revoked there stay revoked
      --to DIR                into this empty folder; what labs add meanwhile may be missing
      --verify                read everything back and compare it
  audit                       who did what, newest first: time, name, action, address, about
      --who NAME              only of this name
      --since DATE            such as 2026-11-30
      --most N                (default 100)
Secrets are read from files or the environment, never from arguments:
  VITRINE_LAB_DATABASE_PASSWORD_FILE, PGPASSFILE or PGPASSWORD; VITRINE_LAB_S3_KEY_FILE
  (two lines: key ID, secret), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;

/** What scans the files of clients. */
export type ScanBy = 'process' | 'workers';

export interface ServeTask {
  kind: 'serve';
  listen: { host: string; port: number };
  /** In lower case, with a port where one was given. */
  hosts: string[];
  trustedProxies: string[];
  metrics: { host: string; port: number } | null;
  scanBy: ScanBy;
  requestsPerMinute: number;
  drainMs: number;
  graceMs: number;
  limits: FormLimits;
  passwordFile: string | null;
}

export interface WorkTask {
  kind: 'work';
  /** Null: as many as there are processors. */
  tracks: number | null;
  metrics: { host: string; port: number } | null;
  graceMs: number;
}

export type HuntTask =
  /** `version` null: the current publication. */
  | { kind: 'hunt'; version: string | null; isDetached: boolean }
  | { kind: 'hunt-list' }
  | { kind: 'hunt-cancel'; number: number }
  | { kind: 'hunt-failed'; number: number };

export type TeamTask =
  | Exclude<LabTask, { kind: 'serve' }>
  | ServeTask
  | MoveTask
  | WorkTask
  | HuntTask
  | { kind: 'check' }
  | { kind: 'migrate'; stocks: boolean }
  | { kind: 'audit'; who: string | null; since: string | null; most: number };

export type TeamCommand = {
  database: string;
  /** Null where the command touches no bytes and none was given. */
  blobs: string | null;
} & TeamTask;

const teamVerbs = new Set(['serve', 'check', 'migrate', 'move', 'audit', 'work', 'hunt']);
/** Commands that leave the bytes alone. */
const withoutBlobs = new Set(
  'token-add token-list token-remove audit hunt hunt-list hunt-cancel hunt-failed'.split(' '),
);

/** Whether arguments are about a team's lab: it has an address of a database, or a command that a folder has not. */
export const isForTeam = ([verb = '', ...more]: readonly string[]): boolean =>
  teamVerbs.has(verb) || [verb, ...more].some((argument) => /^--database(?:=|$)/.test(argument));

/** Reads the arguments after the program's name; null asks for the usage. @throws WrongArguments */
export function readTeamArguments(args: readonly string[]): TeamCommand | null {
  if (args.includes('--help') || args.includes('-h')) return null;
  const { taken, left } = takeOptions(args, ['database', 'blobs']);
  const database = taken.get('database');
  if (database === undefined) throw new WrongArguments('--database takes the address of the database.');
  const task = readTask(left);
  const blobs = taken.get('blobs') ?? null;
  const takesBlobs = !withoutBlobs.has(task.kind) && (task.kind !== 'migrate' || task.stocks);
  if (takesBlobs && blobs === null) throw new WrongArguments('--blobs takes the address of the bucket.');
  return { ...task, database, blobs };
}

function readTask(args: readonly string[]): TeamTask {
  const [verb = '', ...rest] = args;
  switch (verb) {
    case 'check':
      requireNothing(parse(rest, {}).positionals);
      return { kind: 'check' };
    case 'migrate': {
      const { positionals, switches } = parse(rest, { stock: { type: 'boolean' } });
      requireNothing(positionals);
      return { kind: 'migrate', stocks: switches.has('stock') };
    }
    case 'move':
      return readMove(rest);
    case 'audit':
      return readAudit(rest);
    case 'serve':
      return readServe(rest);
    case 'work':
      return readWork(rest);
    case 'hunt':
      return readHunt(rest);
    default:
      return readSharedTask(args);
  }
}

function readSharedTask(args: readonly string[]): TeamTask {
  if (args.some((argument) => /^--data(?:=|$)/.test(argument)))
    throw new WrongArguments('--data and --database exclude each other.');
  const command = readLabArguments([...args], '');
  if (command === null || command.kind === 'serve') throw new WrongArguments('Give a command; --help lists them.');
  const { dataDirectory: _, ...task } = command;
  if (task.kind === 'token-add' && task.name === unnamed)
    throw new WrongArguments('--name takes the name of whom the token is for: it is on record with what they do.');
  // Younger bytes may be of an upload under way in any of the labs.
  if (task.kind === 'sweep' && task.olderThanMs < sweptAfterMs)
    throw new WrongArguments('--older-than is at least 24 where several labs share a bucket.');
  return task;
}

const many = ['host', 'trusted-proxy'] as const;
const once = ['listen', 'metrics', 'scan-by', 'requests-per-minute', 'drain', 'grace'] as const;
const defaultListen = '127.0.0.1:47118';
const longestSeconds = 3_600;

function readServe(args: readonly string[]): ServeTask {
  const { taken, repeated, left } = takeOptions(args, once, many);
  const folder = readLabArguments([...left], '');
  if (folder === null || folder.kind !== 'serve')
    throw new WrongArguments(`"${left[0] ?? ''}" is an extra argument of serve.`);
  if (left.some((argument) => /^--(?:data|port)(?:=|$)/.test(argument)))
    throw new WrongArguments('serve takes --listen instead of --port, and --database instead of --data.');
  const seconds = (name: 'drain' | 'grace', usual: number): number =>
    readNumber(name, taken.get(name), usual, longestSeconds) * 1_000;
  return {
    kind: 'serve',
    listen: readSocket('listen', taken.get('listen') ?? defaultListen),
    hosts: (repeated.get('host') ?? []).map(readHost),
    trustedProxies: (repeated.get('trusted-proxy') ?? []).map(readAddress),
    metrics: readMetrics(taken),
    scanBy: readScanBy(taken.get('scan-by') ?? 'process'),
    requestsPerMinute: readNumber('requests-per-minute', taken.get('requests-per-minute'), 6_000, 10_000_000),
    drainMs: seconds('drain', 0),
    graceMs: seconds('grace', 30),
    limits: folder.limits,
    passwordFile: folder.passwordFile,
  };
}

function readScanBy(text: string): ScanBy {
  if (text !== 'process' && text !== 'workers')
    throw new WrongArguments(`--scan-by takes "process" or "workers", not "${text}".`);
  return text;
}

function readMetrics(taken: ReadonlyMap<string, string>): ServeTask['metrics'] {
  const metrics = taken.get('metrics');
  return metrics === undefined ? null : readSocket('metrics', metrics);
}

const mostTracks = 256;

function readWork(args: readonly string[]): WorkTask {
  const { taken, left } = takeOptions(args, ['lanes', 'metrics', 'grace']);
  requireNothing(left);
  const tracks = taken.get('lanes');
  return {
    kind: 'work',
    tracks: tracks === undefined ? null : readNumber('lanes', tracks, 1, mostTracks),
    metrics: readMetrics(taken),
    graceMs: readNumber('grace', taken.get('grace'), 30, longestSeconds) * 1_000,
  };
}

function readHunt(args: readonly string[]): HuntTask {
  const { values, positionals, switches } = parse([...args], { ...texts('version'), detach: { type: 'boolean' } });
  const [verb, number = '', extra] = positionals;
  if (verb === undefined)
    return { kind: 'hunt', version: values['version'] ?? null, isDetached: switches.has('detach') };
  if (values['version'] !== undefined || switches.has('detach'))
    throw new WrongArguments('--version and --detach are of a new hunt.');
  if (verb === 'list') {
    requireNothing(positionals.slice(1));
    return { kind: 'hunt-list' };
  }
  if (verb !== 'cancel' && verb !== 'failed') throw new WrongArguments(`"${verb}" is an extra argument.`);
  requireNothing([extra].filter((one) => one !== undefined));
  if (!/^\d{1,15}$/.test(number)) throw new WrongArguments(`hunt ${verb} takes the number of a hunt; see "hunt list".`);
  return { kind: `hunt-${verb}`, number: Number(number) };
}

function readHost(name: string): string {
  const host = name.toLowerCase();
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(host))
    throw new WrongArguments(`--host takes a name such as samples.example.org, not "${name}".`);
  return host;
}

function readSocket(option: string, text: string): { host: string; port: number } {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  if (host === '' || digits === '' || port > 65_535)
    throw new WrongArguments(`--${option} takes an address and a port, such as 0.0.0.0:8080, not "${text}".`);
  return { host, port };
}

function readAddress(text: string): string {
  if (isIP(text) === 0) throw new WrongArguments(`--trusted-proxy takes an IP address, not "${text}".`);
  return text;
}

function readNumber(option: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,9}$/.test(text) || Number(text) > most || (Number(text) < 1 && option !== 'drain'))
    throw new WrongArguments(`--${option} takes a number, at most ${most}, not "${text}".`);
  return Number(text);
}

function readMove(args: readonly string[]): MoveTask {
  const { values, positionals, switches } = parse([...args], { ...texts('data', 'to'), verify: { type: 'boolean' } });
  requireNothing(positionals);
  const { data, to } = values;
  const directory = data ?? to ?? '';
  if (directory === '' || (data !== undefined && to !== undefined))
    throw new WrongArguments('move takes a folder: --data to copy it into the servers, or --to to copy them into it.');
  return {
    kind: 'move',
    direction: data === undefined ? 'to-folder' : 'to-team',
    directory: resolve(directory),
    verifies: switches.has('verify'),
  };
}

function readAudit(args: readonly string[]): TeamTask {
  const { values, positionals } = parse([...args], texts('who', 'since', 'most'));
  requireNothing(positionals);
  return {
    kind: 'audit',
    who: values['who'] ?? null,
    since: values['since'] === undefined ? null : readInstant(values['since']),
    most: readNumber('most', values['most'], 100, 999_999_999),
  };
}

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** A day in UTC, or a time with its offset. PostgreSQL has no other days than the calendar, and no year 0. */
function readInstant(text: string): string {
  const written = instant.safeParse(text).success ? new Date(text).toISOString() : '';
  if (!/^(?!0000)\d{4}-/.test(written))
    throw new WrongArguments(`--since takes a date such as 2026-11-30, not "${text}".`);
  return written;
}

function requireNothing([extra]: readonly string[]): void {
  if (extra !== undefined) throw new WrongArguments(`"${extra}" is an extra argument.`);
}

/** Takes options with a value out of arguments; those that may come again by `repeated`. @throws WrongArguments */
function takeOptions(
  args: readonly string[],
  names: readonly string[],
  repeatedNames: readonly string[] = [],
): { taken: Map<string, string>; repeated: Map<string, string[]>; left: string[] } {
  const taken = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const left: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!names.includes(name) && !repeatedNames.includes(name)) {
      left.push(argument);
      continue;
    }
    if (inline === undefined) at += 1;
    const value = inline ?? args[at];
    if (value === undefined || value === '') throw new WrongArguments(`--${name} takes a value.`);
    if (repeatedNames.includes(name)) repeated.set(name, [...(repeated.get(name) ?? []), value]);
    else if (taken.has(name)) throw new WrongArguments(`--${name} is given twice.`);
    else taken.set(name, value);
  }
  return { taken, repeated, left };
}

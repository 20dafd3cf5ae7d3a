import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { ended } from '../../lab/running-lab.fixture.ts';
import type { PostgresOptions } from './postgres-server.fixture.ts';
import { type TestPostgres, usePostgres } from './postgres.fixture.ts';
import { guardProcess, type S3Fixture, startS3, testKeys } from './s3.fixture.ts';

const entry = fileURLToPath(new URL('../../team-lab.ts', import.meta.url));
const listening = z.looseObject({ message: z.literal('listening'), port: z.number(), metrics: z.number().nullable() });

/** The servers that one team's labs share. */
export interface TeamPlace {
  database: string;
  blobs: string;
}

/** A lab of a team as a process. */
export interface TeamLab {
  process: ChildProcess;
  origin: string;
  /** Where its metrics are, when it was started with some. */
  metrics: string;
  /** All that it printed so far. */
  printed(): string;
  /** An action of the repository, or of the rule editor. */
  ask(token: string, action: string, parameters?: Record<string, string>, init?: RequestInit): Promise<Response>;
  askRules(token: string, action: string, parameters?: Record<string, string>, init?: RequestInit): Promise<Response>;
  /** Ends it as a service manager does. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A command that came to its end, and what it printed. */
interface Ended {
  code: number | null;
  results: string;
  remarks: string;
}

export interface TestTeam {
  postgres: TestPostgres;
  s3(): S3Fixture;
  /** A database with the lab's tables and a bucket's prefix that no other test has. */
  place(): Promise<TeamPlace>;
  /** A lab over them, which ends with the file's last test. */
  lab(place: TeamPlace, ...options: string[]): Promise<TeamLab>;
  /** The same, whose clock is so many minutes ahead: a store accepts no more than 15. */
  labAhead(minutes: number, place: TeamPlace, ...options: string[]): Promise<TeamLab>;
  /** `npm run lab -- …` over them. */
  command(place: TeamPlace, ...args: string[]): Promise<Ended>;
  /** A token that works on every lab over them. */
  token(place: TeamPlace, rights?: string): Promise<string>;
}

/** Real servers for the tests of one file: PostgreSQL, and S3 behind a proxy that can fail. */
export function useTeam(options: PostgresOptions = {}): TestTeam {
  const postgres = usePostgres(options);
  const started: S3Fixture[] = [];
  beforeAll(async () => void started.push(await startS3()));
  const labs: ChildProcess[] = [];
  afterAll(async () => {
    await Promise.all(labs.map((lab) => ended(lab, () => lab.kill('SIGKILL'))));
    await Promise.all(started.map((s3) => s3.stop()));
  });
  const running = (): S3Fixture => started[0] ?? unstarted();
  const command: TestTeam['command'] = (place, ...args) => runTeam(place, args);
  const serve = (place: TeamPlace, more: readonly string[], environment = {}): Promise<TeamLab> => {
    const child = start(['serve', '--listen', '127.0.0.1:0', ...more, ...addresses(place)], environment);
    labs.push(child);
    return listeningLab(child);
  };
  return {
    postgres,
    s3: running,
    place: async () => ({
      database: await postgres.labDatabase(),
      blobs: `${running().address}/team-${randomBytes(8).toString('hex')}`,
    }),
    lab: (place, ...more) => serve(place, more),
    labAhead: (minutes, place, ...more) => serve(place, more, clockAhead(minutes)),
    command,
    token: async (place, rights = 'read,download,upload,comment,scan,publish') =>
      (await command(place, 'token', 'add', '--rights', rights, '--name', 'ana')).results.trim(),
  };
}

/** For a process whose clock is so many minutes ahead of this computer's. */
function clockAhead(minutes: number): { NODE_OPTIONS: string } {
  const program = `const Real = Date, ahead = ${minutes * 60_000};
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given); }
      static now() { return Real.now() + ahead; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

function unstarted(): never {
  throw new Error('the store is not started yet');
}

export const addresses = ({ database, blobs }: TeamPlace): string[] => ['--database', database, '--blobs', blobs];

/** `npm run lab -- …` over a team's servers, to its end. */
export async function runTeam(
  place: TeamPlace,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = start([...args, ...addresses(place)], environment);
  const [results, remarks] = [textOf(child.stdout), textOf(child.stderr)];
  await once(child, 'close');
  return { code: child.exitCode, results: results(), remarks: remarks() };
}

/** The command line as a process. */
export function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess & Required<Pick<ChildProcess, 'stdout' | 'stderr'>> {
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      AWS_ACCESS_KEY_ID: testKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey,
    },
  });
  const guard = child.pid === undefined ? null : guardProcess(child.pid);
  child.once('exit', () => guard?.kill());
  return child;
}

function textOf(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

async function listeningLab(child: ChildProcess): Promise<TeamLab> {
  const [output, remarks] = [textOf(child.stdout), textOf(child.stderr)];
  const printed = (): string => output() + remarks();
  const { port, metrics } = await firstLine(child, printed);
  const origin = `http://127.0.0.1:${port}`;
  const ask =
    (path: string): TeamLab['ask'] =>
    (token, action, parameters = {}, init = {}) =>
      fetch(`${origin}${path}?${new URLSearchParams({ action, token, ...parameters }).toString()}`, {
        redirect: 'manual',
        ...init,
      });
  return {
    process: child,
    origin,
    metrics: `http://127.0.0.1:${metrics ?? 0}/metrics`,
    printed,
    ask: ask('/repository/api.php'),
    askRules: ask('/rules/api.php'),
    stop: () => ended(child, () => child.kill('SIGTERM')),
    kill: () => ended(child, () => child.kill('SIGKILL')),
  };
}

async function firstLine(child: ChildProcess, printed: () => string): Promise<z.output<typeof listening>> {
  if (child.stdout === null) throw new TypeError('its output is not read');
  for await (const line of createInterface(child.stdout)) {
    const read = listening.safeParse(JSON.parse(line));
    if (read.success) return read.data;
  }
  throw new Error(`the lab ended: ${printed()}`);
}

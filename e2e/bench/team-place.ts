import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Program, startProgram } from '../program.ts';
import { run } from './child.ts';

const serversProgram = 'electron/team-lab/testing/team-servers.fixture.ts';
const benchProgram = 'electron/team-lab/testing/bench.fixture.ts';
const ready = z.object({
  url: z.string(),
  environment: z.record(z.string(), z.string()),
  postgres: z.number(),
  pgbench: z.string(),
});
const addresses = z.object({ database: z.string(), blobs: z.string() });

export type TeamServers = z.output<typeof ready>;

let running: { child: ChildProcess; servers: Promise<TeamServers> } | null = null;

/** PostgreSQL with its data on the disk, and an S3 store: all rows of a run share them. */
export function teamServers(): Promise<TeamServers> {
  running ??= startServers();
  return running.servers;
}

function startServers(): NonNullable<typeof running> {
  const child = spawn(process.execPath, [serversProgram, '--measured'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const servers = lines.next().then(({ value }) => ready.parse(JSON.parse(value ?? 'null')));
  return { child, servers };
}

/** At the end of a run. Where it is cut off, they end by themselves. */
export async function endTeamServers(): Promise<void> {
  if (running === null) return;
  const gone = once(running.child, 'exit');
  running.child.stdin?.end();
  running = null;
  await gone;
}

/** What this computer lacks for the rows of the team lab, and what it needs besides of PostgreSQL's programs. */
export const missingForTeam =
  (...programs: string[]) =>
  async (): Promise<string | null> => {
    const needs = programs.flatMap((name) => ['--needs', name]);
    const { stdout } = await promisify(execFile)(process.execPath, [serversProgram, '--missing', ...needs]);
    return stdout === '' ? null : stdout;
  };

/** A lab as it serves a team. */
export interface ServedTeamLab {
  pid: number;
  origin: string;
  /** Of an action of the repository. */
  action(name: string): string;
  stop(): Promise<void>;
}

/** A team's data, and a token with all rights of a client. */
export class TeamPlace {
  readonly database: string;
  readonly blobs: string;
  readonly #environment: NodeJS.ProcessEnv;
  token = '';

  private constructor({ database, blobs }: z.output<typeof addresses>, environment: NodeJS.ProcessEnv) {
    this.database = database;
    this.blobs = blobs;
    this.#environment = environment;
  }

  /** `samples`: so many generated ones, which have records and no bytes. */
  static async create(samples = 0): Promise<TeamPlace> {
    const { url, environment } = await teamServers();
    const place = new TeamPlace(addresses.parse(JSON.parse(await ask(url))), environment);
    await place.command('migrate');
    const printed = await place.command('token', 'add', '--name', 'bench', '--rights', 'read,download,upload');
    place.token = /^[\w-]{32,}$/m.exec(printed)?.[0] ?? '';
    if (samples > 0) await ask(url.replace('/place', '/samples'), { database: place.database, count: samples });
    return place;
  }

  /** Of the bucket's prefix, by plain HTTP. */
  get bucket(): string {
    return this.blobs.replace('s3+http:', 'http:');
  }

  start(verb: string, ...options: string[]): Program {
    const data = ['--database', this.database, '--blobs', this.blobs];
    return startProgram('electron/team-lab.ts', [verb, ...options, ...data], this.#environment);
  }

  async command(verb: string, ...options: string[]): Promise<string> {
    const program = this.start(verb, ...options);
    if ((await program.exited) !== 0) throw new Error(`the lab's "${verb}" failed:\n${program.output()}`);
    return program.output();
  }

  async serve(): Promise<ServedTeamLab> {
    const program = this.start('serve', '--listen', '127.0.0.1:0', '--requests-per-minute', '10000000');
    const [, origin = ''] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\/repository\/api\.php/);
    return {
      pid: program.pid,
      origin,
      action: (name) => `${origin}/repository/api.php?action=${name}&token=${this.token}`,
      stop: async () => void (await program.stop('SIGKILL')),
    };
  }

  /** What it is measured against. @returns the line that it printed */
  reference(name: string, ...args: string[]): Promise<string> {
    const environment = Object.entries(this.#environment).map(([key, value]) => `${key}=${value}`);
    return run('env', [...environment, process.execPath, benchProgram, name, ...args]);
  }
}

/** By curl, which waits as long as it takes to generate samples. */
const ask = (url: string, body: object = {}): Promise<string> =>
  run('curl', ['-sSf', '--data-binary', JSON.stringify(body), url]);

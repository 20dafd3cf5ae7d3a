import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';
import { startRoundRobin } from './faults/round-robin.ts';
import { type Program, startProgram } from './program.ts';
import { beginWithToken } from './stocked-lab.ts';

/** Where the lab of a test has its data: its commands work on them, and it serves them. */
export interface LabPlace {
  /** Runs `npm run lab -- …` over it. Resolves with all that it printed; rejects when it failed. */
  command(...args: readonly string[]): Promise<string>;
  /** A token with these rights, joined by commas. */
  makeToken(rights: string): Promise<string>;
  /** Resolves when it answers at `labUrl`. */
  serve(): Promise<ServedLab>;
}

export interface ServedLab {
  /** `http://127.0.0.1:PORT/repository` */
  labUrl: string;
  /** With the rights that the place was opened for. */
  token: string;
  stop(): Promise<void>;
}

/**
 * A place with the lab's sample files and rules; `rights` are those of its first token, joined by commas. It is the
 * folder, or, when the run was started with `--team-lab`, a new database and prefix of a bucket, which two labs serve
 * behind a balancer.
 */
export function openLabPlace(dataDirectory: string, rights: string): Promise<LabPlace> {
  const servers = process.env.VITRINE_TEAM_SERVERS;
  return servers === undefined ? openFolder(dataDirectory, rights) : openTeamPlace(servers, rights);
}

const address = /(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/;

async function openFolder(dataDirectory: string, rights: string): Promise<LabPlace> {
  const start = startOver('electron/lab.ts', ['--data', dataDirectory]);
  const commands = commandsOf(start);
  const stocked = await beginWithToken(dataDirectory, rights, (folder, more) =>
    commandsOf(startOver('electron/lab.ts', ['--data', folder])).makeToken(more),
  );
  return {
    ...commands,
    serve: async () => {
      const lab = start('--port', '0');
      const [, labUrl = ''] = await lab.printed(address);
      const token = stocked ?? (await commands.makeToken(rights));
      return { labUrl, token, stop: async () => void (await lab.stop()) };
    },
  };
}

const teamPlace = z.object({ database: z.string(), blobs: z.string() });
const labsOfTeam = 2;

async function openTeamPlace(servers: string, rights: string): Promise<LabPlace> {
  const place = teamPlace.parse(await askServers(servers, { method: 'POST' }));
  const start = startOver('electron/team-lab.ts', ['--database', place.database, '--blobs', place.blobs]);
  const commands = commandsOf(start);
  await commands.command('migrate', '--stock');
  return {
    ...commands,
    serve: async () => {
      const balancer = await startRoundRobin();
      const options = ['--listen', '127.0.0.1:0', '--host', balancer.host, '--requests-per-minute', '1000000'];
      const labs = Array.from({ length: labsOfTeam }, () => start('serve', ...options, '--grace', '2'));
      for (const lab of labs) endWithTests(lab);
      const [token, listening] = await Promise.all([
        commands.makeToken(rights),
        Promise.all(labs.map((lab) => lab.printed(address))),
      ]);
      for (const [url] of listening) balancer.add(new URL(url).origin);
      return {
        token,
        labUrl: `http://${balancer.host}/repository`,
        stop: async () => {
          await Promise.all(labs.map((lab) => lab.stop()));
          await balancer.close();
          await askServers(servers, { method: 'DELETE', body: JSON.stringify(place) });
        },
      };
    },
  };
}

async function askServers(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`the servers of the team answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Unlike a lab over a folder it is no use to anyone when the process of the tests was killed. */
function endWithTests({ pid, exited }: Program): void {
  if (process.platform === 'win32') return;
  const guard: ChildProcess = spawn('/bin/sh', ['-c', 'cat > /dev/null; kill -KILL "$0" 2> /dev/null', `${pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  void exited.then(() => guard.kill());
}

type Start = (...args: readonly string[]) => Program;

const startOver =
  (entry: string, data: readonly string[]): Start =>
  (...args) =>
    startProgram(entry, [...args, ...data]);

function commandsOf(start: Start): Pick<LabPlace, 'command' | 'makeToken'> {
  const command = async (...args: readonly string[]): Promise<string> => {
    const program = start(...args);
    if ((await program.exited) !== 0) throw new Error(`the lab's "${args[0]}" failed:\n${program.output()}`);
    return program.output();
  };
  return {
    command,
    makeToken: async (rights) => {
      const printed = await command('token', 'add', '--rights', rights, '--name', 'ana');
      const [, token] = /^([0-9A-Za-z_-]{32,})$/m.exec(printed) ?? [];
      if (token === undefined) throw new Error(`the lab printed no token:\n${printed}`);
      return token;
    },
  };
}

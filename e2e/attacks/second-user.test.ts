import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostKeyName, hostSocketName } from '../../shared/host-files.ts';
import { builtEntry, type Program, startCommand, startProgram, stopPrograms } from '../program.ts';

/** Two users of this computer, by their numbers: neither needs a name or a home. */
const victim = 65_533;
const attacker = 65_534;
const asUser = (id: number): readonly string[] => ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = 'electron/cli.ts';

/** Why this cannot be tried here; null: it can. */
function obstacle(): string | null {
  if (platform !== 'linux' || getuid?.() !== 0) return 'only root on Linux can be two other users';
  const entry = builtEntry(cli) ?? join(root, cli);
  const [command = '', ...options] = asUser(victim);
  const read = `process.exit(require('fs').readFileSync(${JSON.stringify(entry)}).length > 0 ? 0 : 1)`;
  const { status, error } = spawnSync(command, [...options, process.execPath, '-e', read]);
  return status === 0 ? null : `another user cannot read this program (${error?.message ?? `exit ${status}`})`;
}
const why = obstacle();
if (why !== null) process.emitWarning(`The tests as a second user are skipped: ${why}`);

let folder: string;
let data: string;
beforeEach(() => {
  if (why !== null) return;
  // Not in the folder of the tests, which is closed to others.
  folder = mkdtempSync('/tmp/vitrine-users-');
  chmodSync(folder, 0o755);
  data = join(folder, 'data');
});
afterEach(async () => {
  if (why !== null) return;
  await stopPrograms();
  rmSync(folder, { recursive: true, force: true });
});

function makeData(owner: number, mode: number): void {
  mkdirSync(data);
  chownSync(data, owner, owner);
  chmodSync(data, mode);
}

const environment = { HOME: '/nonexistent', XDG_RUNTIME_DIR: '', TMPDIR: '/tmp' };
const start = (user: number, entry: string, ...args: string[]): Program =>
  startProgram(entry, [...args, '--data', data], environment, user === 0 ? ['env'] : asUser(user));

async function ranAs(user: number, entry: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const program = start(user, entry, ...args);
  return { code: await program.exited, said: program.output() };
}
const count = (user = victim): ReturnType<typeof ranAs> => ranAs(user, cli, 'library', '--count');
const webHost = (): Program => start(victim, 'electron/web.ts', '--port', '0', '--no-open');

/** Runs as the attacker until the test ends. `code` prints a line when it is done. */
async function attack(code: string): Promise<Program> {
  const [command = '', ...options] = asUser(attacker);
  const program = startCommand(command, [...options, process.execPath, '-e', `process.umask(0); ${code}`]);
  await program.printed(/done/);
  return program;
}

const listening = (socket: string): string =>
  `require('net').createServer((s) => s.on('data', (d) => console.log('heard ' + d)))
    .listen(${JSON.stringify(socket)}, () => console.log('done'));`;
const planting = (path: string, text: string): string =>
  `require('fs').writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)}); console.log('done');`;

const refused = (path: string, code = 7): object => ({
  code,
  said: expect.stringMatching(new RegExp(`belongs to another user.*${path} is owned by user ID ${attacker}`, 's')),
});

/** Of everything in the data directory. */
function openToOthers(path: string): string[] {
  const found = lstatSync(path);
  const below = found.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return (found.mode & 0o077) === 0 || found.isSymbolicLink() ? below : [path, ...below];
}

test.skipIf(why !== null)(
  'a data directory of another user is refused by each program, also run by root, as a second user',
  async () => {
    makeData(attacker, 0o777);
    expect(await count()).toEqual(refused(data));
    expect(await count(0)).toEqual(refused(data));
    expect(await ranAs(victim, cli, 'diagnostics', join(folder, 'd.zip'))).toEqual(refused(data));
    expect(await ranAs(victim, 'electron/web.ts', '--port', '0', '--no-open')).toEqual(refused(data, 1));
    expect(await ranAs(victim, 'electron/lab.ts', '--port', '0')).toEqual(refused(data, 1));
    expect(await ranAs(victim, 'electron/lab.ts', 'token', 'list')).toEqual(refused(data, 1));
    expect(readdirSync(data)).toEqual([]);
  },
);

test.skipIf(why !== null)(
  'a planted key gets nothing from the command line, and stops the web host, as a second user',
  async () => {
    makeData(victim, 0o777);
    const socket = join(data, 'planted.sock');
    const spy = await attack(listening(socket));
    await attack(planting(join(data, hostKeyName), `key\nproof\n${socket}\n1\n`));
    expect(await count()).toEqual(refused(join(data, hostKeyName)));
    expect(await ranAs(victim, 'electron/web.ts', '--port', '0', '--no-open')).toEqual(
      refused(join(data, hostKeyName), 1),
    );
    expect(spy.output()).not.toContain('heard');
  },
);

test.skipIf(why !== null)(
  'a planted socket beside an own key gets nothing from the command line as a second user',
  async () => {
    makeData(victim, 0o700);
    const host = webHost();
    await host.printed(/Vitrine is at/);
    await expect.poll(() => existsSync(join(data, hostKeyName))).toBe(true);
    await host.stop('SIGKILL');
    chmodSync(data, 0o777);
    const socket = join(data, hostSocketName);
    const spy = await attack(`require('fs').unlinkSync(${JSON.stringify(socket)}); ${listening(socket)}`);
    expect(await count()).toEqual(refused(socket));
    expect(spy.output()).not.toContain('heard');
  },
);

test.skipIf(why !== null).each(['vitrine.db', 'vitrine.db-wal', 'lock.db', 'tokens.sealed'])(
  'a planted %s is refused by the command line as a second user',
  async (name) => {
    makeData(victim, 0o777);
    await attack(planting(join(data, name), ''));
    expect(await count()).toEqual(refused(join(data, name)));
  },
);

test.skipIf(why !== null)('a planted link is not followed as a second user', async () => {
  makeData(victim, 0o777);
  const path = join(data, 'tokens.sealed');
  await attack(`require('fs').symlinkSync('/etc/passwd', ${JSON.stringify(path)}); console.log('done')`);
  expect(await count()).toMatchObject({ code: 7, said: expect.stringContaining(`${path} leads to another place`) });
});

test.skipIf(why !== null)('a lab with a planted database is refused as a second user', async () => {
  makeData(victim, 0o777);
  await attack(planting(join(data, 'lab.db'), ''));
  expect(await ranAs(victim, 'electron/lab.ts', 'token', 'list')).toEqual(refused(join(data, 'lab.db'), 1));
});

test.skipIf(why !== null)(
  'a world-writable data directory becomes private, with all that is in it, as a second user',
  async () => {
    makeData(victim, 0o777);
    const host = webHost();
    await host.printed(/Vitrine is at/);
    await expect.poll(() => existsSync(join(data, hostKeyName))).toBe(true);
    await expect.poll(() => existsSync(join(data, 'lab', 'lab.db')), { timeout: 60_000 }).toBe(true);
    expect(await count()).toMatchObject({ code: 0 });
    await expect.poll(() => openToOthers(data)).toEqual([]);
    const spy = await attack(
      `try { require('fs').readdirSync(${JSON.stringify(data)}) } catch (e) { console.log(e.code, 'done') }`,
    );
    expect(spy.output()).toContain('EACCES');
    await host.stop();
  },
);

test.skipIf(why !== null)('a lab that is started alone keeps all its data private as a second user', async () => {
  chmodSync(folder, 0o777);
  const lab = start(victim, 'electron/lab.ts', '--port', '0');
  await lab.printed(/Data: /);
  expect(openToOthers(data)).toEqual([]);
});

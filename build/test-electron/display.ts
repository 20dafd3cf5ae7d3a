import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CommandResult, runCommand } from '../run-command.ts';

interface Need {
  /** A command of the PATH, or a library that the runtime loads. */
  name: string;
  isLibrary?: true;
  /** Debian's packages that have it: the first one that this release knows is installed. */
  packages: readonly [string, ...string[]];
}

/** What a desktop session without a screen is made of. */
const needs: readonly Need[] = [
  { name: 'Xvfb', packages: ['xvfb'] },
  { name: 'dbus-daemon', packages: ['dbus', 'dbus-daemon'] },
  { name: 'openbox', packages: ['openbox'] },
  { name: 'xdotool', packages: ['xdotool'] },
  { name: 'import', packages: ['imagemagick'] },
  { name: 'unzip', packages: ['unzip'] },
  { name: 'unshare', packages: ['util-linux'] },
  { name: 'libgtk-3.so.0', isLibrary: true, packages: ['libgtk-3-0', 'libgtk-3-0t64'] },
  { name: 'libnss3.so', isLibrary: true, packages: ['libnss3'] },
  { name: 'libasound.so.2', isLibrary: true, packages: ['libasound2', 'libasound2t64'] },
  { name: 'libgbm.so.1', isLibrary: true, packages: ['libgbm1'] },
  { name: 'libXss.so.1', isLibrary: true, packages: ['libxss1'] },
];

/**
 * Looks for all that a session needs, and installs what is missing as root of a Debian. @returns what is missing still,
 * in a few words, or null
 */
export async function ensureDisplayTools(): Promise<string | null> {
  const first = missingNeeds();
  const complaint =
    first.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') ? await install(first) : '';
  const missing = missingNeeds();
  if (missing.length > 0)
    return `install ${missing.map(({ packages: [name] }) => name).join(' ')} first (Debian's names)${complaint}`;
  return mayMakeNamespaces()
    ? null
    : "this system does not let programs create user namespaces, which Chromium's sandbox needs";
}

function missingNeeds(): Need[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const known = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout;
  return needs.filter(({ name, isLibrary }) =>
    isLibrary === true ? !known.includes(name) : !folders.some((folder) => existsSync(join(folder, name))),
  );
}

/**
 * One by one: apt installs none of several when it does not know one. @returns the last complaint of apt, or nothing
 */
async function install(missing: readonly Need[]): Promise<string> {
  process.stdout.write(`Installing what a window needs: ${missing.map(({ packages: [name] }) => name).join(' ')}.\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env, capture: true });
  let complaint = '';
  for (const { packages } of missing) {
    for (const name of packages) {
      const { code, output } = await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
        env,
        capture: true,
      });
      if (code === 0) break;
      complaint = `: ${output.trim().split('\n').at(-1) ?? ''}`;
    }
  }
  return complaint;
}

/**
 * Chromium's sandbox refuses root. Root becomes an ordinary user in a namespace of its own, who owns what root owns and
 * has no other right of root's; so nothing has to be copied or given away for the tests.
 */
const asOrdinaryUser =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] : [];

/** As Chromium does: from within the namespace of the tests one more is made. */
function mayMakeNamespaces(): boolean {
  const [command, ...args] = [...asOrdinaryUser, 'unshare', '--user', 'true'];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** An invisible screen of its own, with a window manager and a session bus. */
export interface DesktopSession {
  /** Runs a command in it, as a user who is not root. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult>;
  end(): Promise<void>;
}

const withSessionBus = join(import.meta.dirname, 'with-session-bus.ts');

/** @throws an error when the screen does not come up */
export async function openDesktopSession(): Promise<DesktopSession> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-session-'));
  // Apart: Ctrl-C reaches every process of a terminal, and the screen is needed until the tests have ended.
  const xvfb = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const children: ChildProcess[] = [xvfb];
  const endAtOnce = (): void => {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', endAtOnce);
  const session = {
    DISPLAY: `:${await firstLine(xvfb)}`,
    XDG_RUNTIME_DIR: folder,
    XDG_SESSION_TYPE: 'x11',
    HOME: folder,
    LANG: 'C.UTF-8',
  };
  const manager = spawn('openbox', ['--sm-disable'], {
    stdio: 'ignore',
    env: { ...process.env, ...session },
    detached: true,
  });
  manager.on('error', (error) => process.stderr.write(`openbox did not start: ${error.message}\n`));
  children.unshift(manager);
  return {
    run: (command, args, env) => {
      const [first = '', ...rest] = [...asOrdinaryUser, process.execPath, withSessionBus, command, ...args];
      return runCommand(first, rest, { env: { ...env, ...session } });
    },
    end: async () => {
      for (const child of children) await endProcess(child);
      process.off('exit', endAtOnce);
      endAtOnce();
    },
  };
}

/** What a program prints first, such as the number of the display that Xvfb took. Rejects when it ends before. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('it has no output');
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
    lines.once('line', resolve);
  });
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

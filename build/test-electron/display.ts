import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CommandResult, runCommand } from '../run-command.ts';

/** What a desktop session without a screen is made of, and the package of Debian that has it. */
const commands = { Xvfb: 'xvfb', 'dbus-run-session': 'dbus', openbox: 'openbox', xdotool: 'xdotool', unzip: 'unzip', unshare: 'util-linux', import: 'imagemagick' };
/** Libraries that the runtime loads. */
const libraries = { 'libgtk-3.so.0': 'libgtk-3-0', 'libnss3.so': 'libnss3', 'libasound.so.2': 'libasound2', 'libgbm.so.1': 'libgbm1', 'libXss.so.1': 'libxss1' };

/** Looks for all that a session needs, and lets root of a Debian install what is missing. @returns what is missing still, in a few words, or null */
export async function ensureDisplayTools(): Promise<string | null> {
  const first = missingPackages();
  if (first.length === 0) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(`Installing what a window needs: ${first.join(' ')}.\n`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runCommand('apt-get', ['update', '-qq'], { env });
    await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...first], { env, capture: true });
  }
  const missing = missingPackages();
  return missing.length === 0 ? null : `install what a window needs first: ${missing.join(' ')} (as Debian names the packages)`;
}

function missingPackages(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const known = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  return [
    ...Object.entries(commands).filter(([command]) => !folders.some((folder) => existsSync(join(folder, command)))),
    ...Object.entries(libraries).filter(([library]) => !known.includes(library)),
  ].map(([, name]) => name);
}

/** A screen of its own that nobody sees, with a window manager and a session bus. */
export interface DesktopSession {
  /** Runs a command in it, as somebody who is not root. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult>;
  end(): Promise<void>;
}

/**
 * Chromium's sandbox refuses root. Root becomes an ordinary user in a namespace of its own, who owns what root owns and has no
 * other right of root's; so nothing has to be copied or given away for the tests.
 */
const asOrdinaryUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] : [];

/** @throws an error when the screen does not come up */
export async function openDesktopSession(): Promise<DesktopSession> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-session-'));
  const xvfb = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const display = `:${await firstLine(xvfb)}`;
  const session = { DISPLAY: display, XDG_RUNTIME_DIR: folder, XDG_SESSION_TYPE: 'x11', HOME: folder, LANG: 'C.UTF-8' };
  const manager = spawn('openbox', ['--sm-disable'], { stdio: 'ignore', env: { ...process.env, ...session } });
  return {
    run: (command, args, env) => {
      const [first = 'dbus-run-session', ...rest] = [...asOrdinaryUser, 'dbus-run-session', '--', command, ...args];
      return runCommand(first, rest, { env: { ...env, ...session } });
    },
    end: async () => {
      for (const child of [manager, xvfb]) await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Xvfb writes the number that it took, once it listens. */
async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('Xvfb has no output');
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    lines.once('line', resolve);
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

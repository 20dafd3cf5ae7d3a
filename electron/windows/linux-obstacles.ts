import type { SpawnOptions } from 'node:child_process';
import { join } from 'node:path';

export interface ObstacleWords {
  what: string;
  then: string;
}

export interface DisplayFacts {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  system: NodeJS.Platform;
}

/** Without a display Chromium ends in a crash, after our entry is evaluated (seen on Electron 33). Null where there is one, or where a platform is named that may need none. */
export function missingDisplay({ args, env, system }: DisplayFacts): ObstacleWords | null {
  if (system !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] || args.some((text) => text.startsWith('--ozone-platform='))) return null;
  return { what: 'Vitrine needs a display', then: 'Neither DISPLAY nor WAYLAND_DISPLAY is set. Start Vitrine in a desktop session.' };
}

/**
 * The start script that electron-builder puts into an AppImage adds `--no-sandbox` where `unshare -Ur` fails, so that switch says more about the
 * system than about the person.
 */
export const missingSandbox: ObstacleWords = {
  what: 'Vitrine does not run without its sandbox',
  then: 'This system does not let programs create user namespaces, or Vitrine was started with --no-sandbox. Install the deb package, which sets the sandbox up, or allow user namespaces.',
};

export interface MessagePorts {
  env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
  /** Of `child_process`. */
  spawn(command: string, args: string[], options: SpawnOptions): { on(event: 'error', listener: () => void): unknown; unref(): void };
}

const tools: readonly (readonly [name: string, args: (text: string) => string[]])[] = [
  ['zenity', (text) => ['--error', '--no-markup', '--title=Vitrine', `--text=${text}`]],
  ['kdialog', (text) => ['--title', 'Vitrine', '--error', text]],
  // It cuts a longer line off.
  ['xmessage', (text) => ['-center', '-title', 'Vitrine', text.replaceAll(/(.{1,70})(?: |$)/gm, '$1\n')]],
];

/**
 * Shows a message by a tool of the desktop, where there is one: who starts an AppImage by its icon sees no terminal, and Electron shows no box
 * before it is ready. The box outlives this process.
 */
export function showByTool({ what, then }: ObstacleWords, { env, exists, spawn }: MessagePorts): void {
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const [name, argsOf] of tools) {
    const folder = folders.find((one) => exists(join(one, name)));
    if (folder === undefined) continue;
    // The libraries of an AppImage are not those of the system's programs.
    const { LD_LIBRARY_PATH: _libraries, ...others } = env;
    const shown = spawn(join(folder, name), argsOf(`${what}\n\n${then}`), { detached: true, stdio: 'ignore', env: others });
    // The same words are on standard error.
    shown.on('error', () => {});
    return shown.unref();
  }
}

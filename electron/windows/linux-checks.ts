import type { SpawnOptions } from 'node:child_process';
import { connect } from 'node:net';
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

/** Where a display server may listen: an abstract socket has a path that begins with a zero byte. */
export type DisplayPlace = { path: string } | { host: string; port: number };

const noDisplay: ObstacleWords = {
  what: 'Vitrine needs a display',
  then: 'No X11 or Wayland display responds. Check DISPLAY and WAYLAND_DISPLAY, or start Vitrine in a desktop session.',
};

/**
 * Without a display server Chromium crashes once our entry is evaluated (seen on Electron 33), so this first tries the
 * places that it would connect to. Null where one answers, and where only Chromium can find out: another computer's
 * display, or a platform that needs none.
 */
export async function missingDisplay(
  { args, env, system }: DisplayFacts,
  answers: (place: DisplayPlace) => Promise<boolean>,
): Promise<ObstacleWords | null> {
  if (system !== 'linux') return null;
  const platform = askedPlatform(args);
  if (platform !== null && platform !== 'x11' && platform !== 'wayland') return null;
  const x11 = platform === 'wayland' ? [] : x11Places(env['DISPLAY'] ?? '');
  if (x11 === 'unknown') return null;
  const wayland = platform === 'x11' ? [] : waylandPlaces(env, platform === 'wayland' ? 'wayland-0' : '');
  for (const place of [...x11, ...wayland]) if (await answers(place)) return null;
  return noDisplay;
}

/** The value of the last `--ozone-platform`, as Chromium reads its switches; null where there is none. */
function askedPlatform(args: readonly string[]): string | null {
  const end = args.indexOf('--');
  const values = args
    .slice(0, end === -1 ? args.length : end)
    .map((text) => /^--?ozone-platform=(.+)$/.exec(text)?.[1]);
  return values.findLast((value) => value !== undefined) ?? null;
}

/** In the order of libxcb (`_xcb_open` in xcb_util.c), which tries TCP only where no protocol is named. */
function x11Places(display: string): DisplayPlace[] | 'unknown' {
  const [, protocol, number] = /^(unix)?:(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return display.includes(':') ? 'unknown' : [];
  const path = `/tmp/.X11-unix/X${number}`;
  const sockets = [{ path: `\0${path}` }, { path }];
  const port = 6000 + Number(number);
  return protocol === undefined && port < 65_536 ? [...sockets, { host: 'localhost', port }] : sockets;
}

function waylandPlaces(env: NodeJS.ProcessEnv, usual: string): DisplayPlace[] {
  const name = env['WAYLAND_DISPLAY'] || usual;
  const folder = env['XDG_RUNTIME_DIR'] ?? '';
  if (name === '' || (!name.startsWith('/') && folder === '')) return [];
  return [{ path: name.startsWith('/') ? name : join(folder, name) }];
}

const connectsWithinMs = 1_000;

/** Whether a server listens there. A server that is too busy to accept counts: Chromium waits for it. */
export function answersAt(place: DisplayPlace): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(place);
  const timer = setTimeout(resolve, connectsWithinMs, true);
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/**
 * The start script that electron-builder puts into an AppImage adds `--no-sandbox` where `unshare -Ur` fails, so that
 * switch shows the state of the system rather than the person's choice.
 */
export const missingSandbox: ObstacleWords = {
  what: 'Vitrine does not run without its sandbox',
  then:
    'This system does not let programs create user namespaces, or Vitrine was started with --no-sandbox. ' +
    'Install the deb package, which sets up the sandbox, or allow user namespaces.',
};

export interface MessagePorts {
  env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
  /** Of `child_process`. */
  spawn(
    command: string,
    args: string[],
    options: SpawnOptions,
  ): { on(event: 'error', listener: () => void): unknown; unref(): void };
}

const tools: readonly (readonly [name: string, args: (text: string) => string[]])[] = [
  ['zenity', (text) => ['--error', '--no-markup', '--title=Vitrine', `--text=${text}`]],
  ['kdialog', (text) => ['--title', 'Vitrine', '--error', text]],
  // It cuts a longer line off.
  ['xmessage', (text) => ['-center', '-title', 'Vitrine', text.replaceAll(/(.{1,70})(?: |$)/gm, '$1\n')]],
];

/**
 * Shows a message by a tool of the desktop, where there is one: who starts an AppImage by its icon sees no terminal,
 * and Electron shows no box before it is ready. The box outlives this process.
 */
export function showByTool({ what, then }: ObstacleWords, { env, exists, spawn }: MessagePorts): void {
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const [name, argsOf] of tools) {
    const folder = folders.find((one) => exists(join(one, name)));
    if (folder === undefined) continue;
    // The libraries of an AppImage are not those of the system's programs.
    const { LD_LIBRARY_PATH: _libraries, ...others } = env;
    const shown = spawn(join(folder, name), argsOf(`${what}\n\n${then}`), {
      detached: true,
      stdio: 'ignore',
      env: others,
    });
    // The same words are on standard error.
    shown.on('error', () => {});
    return shown.unref();
  }
}

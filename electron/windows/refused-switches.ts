import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lets another program read or drive the page, or our JavaScript. */
const control = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-wait',
  'inspect-port',
  'inspect-publish-uid',
  'debug',
  'debug-brk',
  'debug-port',
  'experimental-network-inspection',
  'auto-open-devtools-for-tabs',
  'custom-devtools-frontend',
  'enable-automation',
  'headless',
  'dom-automation',
  'run-web-tests',
  'expose-internals-for-testing',
  'wait-for-debugger',
  'wait-for-debugger-children',
  'enable-gpu-benchmarking',
  'log-net-log',
  'use-fake-ui-for-media-stream',
  'use-fake-device-for-media-stream',
];
/** Runs other code in our processes, or other programs in their place. */
const code = [
  'js-flags',
  'require',
  'load-extension',
  'disable-extensions-except',
  'browser-subprocess-path',
  'single-process',
  'in-process-gpu',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'zygote-cmd-prefix',
  'gpu-launcher',
  'enable-blink-features',
  'enable-experimental-web-platform-features',
];
/**
 * Switches a protection off. A feature that is enabled can do that as well as one that is disabled, and Electron 45
 * finds Wayland without one.
 */
const protection = [
  'no-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-seccomp-filter-sandbox',
  'disable-gpu-sandbox',
  'no-zygote',
  'no-zygote-sandbox',
  'allow-sandbox-debugging',
  'disable-web-security',
  'disable-site-isolation-trials',
  'disable-features',
  'enable-features',
  'disable-blink-features',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'allow-insecure-localhost',
  'use-mock-cert-verifier-for-testing',
];
/**
 * What Chromium and Node would act on. Proxies, scaling, GPU and Wayland switches stay: people need them, and none
 * opens the program to another.
 */
export const refusedSwitches: readonly string[] = [...control, ...code, ...protection];

/** Electron takes it for `--no-sandbox`. */
const sandboxVariable = 'ELECTRON_DISABLE_SANDBOX';

export interface StartFacts {
  /**
   * `process.argv`. Not `app.commandLine`: Electron adds switches of its own to that, `allow-file-access-from-files`
   * among them.
   */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  isPackaged: boolean;
  /**
   * Whether the program is built for tests, which debug it. Asked only when there is something to refuse: it reads the
   * binary.
   */
  isDebuggable(): boolean;
}

/**
 * What the packaged program does not start with, as the person wrote it; or null. To be asked while the entry is
 * evaluated: Chromium opens its debugging port only after that (measured on Electron 33).
 */
export function refusedStart({ args, env, isPackaged, isDebuggable }: StartFacts): string | null {
  if (!isPackaged) return null;
  const found = switchesOf(args).find((name) => refusedSwitches.includes(name));
  const refused = found === undefined ? (env[sandboxVariable] === undefined ? null : sandboxVariable) : `--${found}`;
  return refused === null || isDebuggable() ? null : refused;
}

/**
 * The names of the switches as Chromium reads them: one dash or two, or a slash on Windows, a value or none, and
 * nothing behind `--`. Case counts on Linux only; here it never does.
 */
function switchesOf(args: readonly string[]): string[] {
  const all = args.slice(1).map((text) => text.trim());
  const end = all.indexOf('--');
  return all
    .slice(0, end === -1 ? all.length : end)
    .flatMap((text) => /^(?:--?|\/)([^=]+)/.exec(text)?.[1]?.toLowerCase() ?? []);
}

export function refusalMessage(refused: string): { what: string; then: string } {
  const [kind, how] =
    refused === sandboxVariable
      ? ['variable', 'Remove it from the environment']
      : ['switch', 'Start Vitrine without it'];
  return {
    what: `Vitrine does not start with ${refused}`,
    then: `This ${kind} lets other programs control Vitrine or disables a protection. ${how}.`,
  };
}

/**
 * Precedes the fuses in Electron's binary: https://www.electronjs.org/docs/latest/tutorial/fuses. It is followed by a
 * version, a length, and a digit for each fuse.
 */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const version = 1;
/** `EnableNodeCliInspectArguments`, counted from 0. */
const inspectFuse = 3;
const chunkBytes = 4 * 1024 ** 2;
const wireBytes = sentinel.length + 2 + inspectFuse + 1;

/**
 * Whether Electron's binary has its inspect fuse left on, as only test builds have. A binary that cannot be read, or
 * has no fuses, counts as one for users.
 */
export function hasInspectFuse(program: string, system: NodeJS.Platform): boolean {
  const binary =
    system === 'darwin'
      ? join(dirname(program), '..', 'Frameworks', 'Electron Framework.framework', 'Electron Framework')
      : program;
  try {
    const wire = readWire(binary);
    return (
      wire !== null &&
      wire[sentinel.length] === version &&
      wire[sentinel.length + 2 + inspectFuse] === '1'.charCodeAt(0)
    );
  } catch {
    return false;
  }
}

/**
 * The sentinel and the fuses up to the one we ask for; null where there are none. Chunks overlap, since the wire may
 * lie across their edge.
 */
function readWire(binary: string): Buffer | null {
  const file = openSync(binary, 'r');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let position = 0; ; position += chunkBytes - wireBytes) {
      const bytes = readSync(file, chunk, 0, chunkBytes, position);
      const at = chunk.subarray(0, bytes).indexOf(sentinel);
      if (at !== -1 && at + wireBytes <= bytes) return chunk.subarray(at, at + wireBytes);
      if (bytes < chunkBytes) return null;
    }
  } finally {
    closeSync(file);
  }
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtEntry, type Program, startProgram } from '../program.ts';
import { runEntry } from './child.ts';
import { inspect, inspectable, type Inspector } from './inspector.ts';
import type { Stretch } from './stretch.ts';

/** A program of ours, watched for stalls. Its inspector reads what it holds. */
export interface WatchedProgram {
  program: Program;
  /** The longest stall of its event loop since the last call. */
  standstill(): Promise<Stretch>;
  /** Inspects its main thread. */
  inspected(): Promise<Inspector>;
  stop(): Promise<void>;
}

export interface WatchedHost extends WatchedProgram {
  /** A link that is still unused. */
  newLink(): Promise<string>;
}

const moduleBeside = (path: string): string => new URL(path, import.meta.url).href;
const root = fileURLToPath(new URL('../..', import.meta.url));
const link = String.raw`http://127\.0\.0\.1:\d+/#\S+`;

/**
 * The web host. Its data and its exports lie in the folder. `preloads` are further modules, beside this one, that are
 * loaded before it.
 */
export async function startWatchedHost(folder: string, preloads: readonly string[] = []): Promise<WatchedHost> {
  const [data, exports] = [join(folder, 'data'), join(folder, 'exports')];
  await mkdir(exports, { recursive: true });
  await runEntry('build/page.ts', []);
  const watched = startWatched(
    'electron/web.ts',
    ['--port', '0', '--data', data, '--exports', exports, '--no-open'],
    preloads,
  );
  let links = 0;
  return {
    ...watched,
    newLink: async () => {
      if (links > 0) watched.program.type('\n');
      const [, latest = ''] = await watched.program.printed(new RegExp(`(?:${link}\\s[^]*?){${links}}(${link})\\s`));
      links += 1;
      return latest;
    },
  };
}

/** `entry`: below the project's folder. */
export function startWatched(entry: string, args: readonly string[], preloads: readonly string[] = []): WatchedProgram {
  const loaded = ['./loop-probe.ts', ...preloads].flatMap((module) => ['--import', moduleBeside(module)]);
  const program = startProgram(inspectable, [...loaded, builtEntry(entry) ?? join(root, entry), ...args]);
  let asked = 0;
  let inspector: Promise<Inspector> | null = null;
  return {
    program,
    standstill: async () => {
      process.kill(program.pid, 'SIGUSR2');
      const [, ms = '', ownMs = ''] = await program.printed(
        new RegExp(`^event loop ${(asked += 1)}: ([\\d.]+) ms, ([\\d.]+) its own$`, 'm'),
      );
      return { ms: Number(ms), ownMs: Number(ownMs) };
    },
    inspected: () => (inspector ??= inspect(program)),
    stop: async () => {
      // A program waits at its end until it is no longer inspected.
      (await inspector)?.close();
      await program.stop();
    },
  };
}

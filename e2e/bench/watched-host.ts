import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '../program.ts';
import { runEntry } from './child.ts';
import { inspect, inspectable, type Inspector } from './inspector.ts';
import type { Stretch } from './stretch.ts';

/** The web host, watched for how long it stands still. What it holds is asked through its inspector. */
export interface WatchedHost {
  program: Program;
  /** One that nobody used so far. */
  newLink(): Promise<string>;
  /** For how long its event loop stood still, at most, since it was asked before. */
  standstill(): Promise<Stretch>;
  /** The door to its main thread. */
  inspected(): Promise<Inspector>;
  stop(): Promise<void>;
}

const probe = new URL('loop-probe.ts', import.meta.url).href;
const web = fileURLToPath(new URL('../../electron/web.ts', import.meta.url));
const link = String.raw`http://127\.0\.0\.1:\d+/#\S+`;

/** Its data and its exports lie in the folder. `preloads` are further modules that are loaded before it. */
export async function startWatchedHost(folder: string, preloads: readonly string[] = []): Promise<WatchedHost> {
  const [data, exports] = [join(folder, 'data'), join(folder, 'exports')];
  await mkdir(exports, { recursive: true });
  await runEntry('build/page.ts', []);
  const loaded = [probe, ...preloads].flatMap((module) => ['--import', module]);
  const program = startProgram(inspectable, [...loaded, web, '--port', '0', '--data', data, '--exports', exports, '--no-open']);
  let [links, asked] = [0, 0];
  let inspector: Promise<Inspector> | null = null;
  return {
    program,
    newLink: async () => {
      if (links > 0) program.type('\n');
      const [, latest = ''] = await program.printed(new RegExp(`(?:${link}\\s[^]*?){${links}}(${link})\\s`));
      links += 1;
      return latest;
    },
    standstill: async () => {
      process.kill(program.pid, 'SIGUSR2');
      const [, ms = '', ownMs = ''] = await program.printed(new RegExp(`^event loop ${(asked += 1)}: ([\\d.]+) ms, ([\\d.]+) its own$`, 'm'));
      return { ms: Number(ms), ownMs: Number(ownMs) };
    },
    inspected: () => (inspector ??= inspect(program)),
    stop: async () => {
      // A program waits at its end until nobody inspects it any more.
      (await inspector)?.close();
      await program.stop();
    },
  };
}

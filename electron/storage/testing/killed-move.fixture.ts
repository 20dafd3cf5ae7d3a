import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs/promises';

/**
 * For a program that will be killed, once it imported everything: Node saves the code that such a program compiled only
 * on request.
 */
export const keepCompiled = "(await import('node:module')).flushCompileCache();";

const moving = `
const { moveData } = await import(${JSON.stringify(new URL('../directory/move-data.ts', import.meta.url).href)});
${keepCompiled}
const [usual, target] = process.argv.slice(1);
await moveData({ named: null, usual, target, onBegin: () => {} });
`;

/** Resolves at the n-th change the system reports under a folder. */
async function changed(folder: string, times: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  for await (const _ of watch(folder, { recursive: true, signal })) {
    seen += 1;
    if (seen >= times) return;
  }
}

/** For tests: moves in a process of its own. @returns whether it was killed */
export const killedMove = (folder: string, times: number, usual: string, target: string): Promise<boolean> =>
  killedAtChange(folder, times, moving, [usual, target]);

/**
 * For tests: runs a program in a process of its own and kills that at its n-th change on the disk under a folder, or
 * lets it end when it makes fewer. @returns whether it was killed
 */
export async function killedAtChange(
  folder: string,
  times: number,
  program: string,
  args: readonly string[],
): Promise<boolean> {
  const stop = new AbortController();
  const moment = changed(folder, times, stop.signal).catch(() => {});
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  await Promise.race([moment, gone]);
  stop.abort();
  child.kill('SIGKILL');
  await gone;
  return child.signalCode === 'SIGKILL';
}

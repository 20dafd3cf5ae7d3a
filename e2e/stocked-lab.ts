import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './program.ts';

let stocked: string | null = null;

/** Makes what `beginWithStock` copies, and takes it away when that is called which it resolves with. Once for each process that runs tests. */
export async function stockLab(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-stocked-'));
  const lab = startProgram('electron/lab.ts', ['--port', '0', '--data', join(folder, 'lab')]);
  await lab.printed(/A first MD5 to ask for/);
  await lab.stop();
  stocked = join(folder, 'lab');
  return async () => {
    stocked = null;
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * A lab that will be started on this folder has its specimens and rules already: to make them is half of what its start takes. Does nothing
 * where there is a lab, or no stock was made.
 */
export async function beginWithStock(dataDirectory: string): Promise<void> {
  if (stocked !== null && !existsSync(dataDirectory)) await cp(stocked, dataDirectory, { recursive: true });
}

import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProgram } from './program.ts';

let stocked: string | null = null;

interface TokenStock {
  folder: string;
  token: string;
}

/** Labs that were stocked and have a token besides, by what it may do. */
const withToken = new Map<string, Promise<TokenStock>>();

/**
 * Makes what `beginWithStock` copies, and takes it away when that is called which it resolves with. Once for each
 * process that runs tests.
 */
export async function stockLab(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-stocked-'));
  const lab = startProgram('electron/lab.ts', ['--port', '0', '--data', join(folder, 'lab')]);
  await lab.printed(/An MD5 to look up/);
  await lab.stop();
  stocked = join(folder, 'lab');
  return async () => {
    stocked = null;
    withToken.clear();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * A lab that will be started on this folder has its sample files and rules already: making them takes half of its
 * start. Does nothing where there is a lab, or no stock was made.
 */
export async function beginWithStock(dataDirectory: string): Promise<void> {
  if (stocked !== null && !existsSync(dataDirectory)) await cp(stocked, dataDirectory, { recursive: true });
}

/**
 * The same for a lab that gets requests. Resolves with the token, which `make` adds to the first lab of a kind: adding
 * one takes a program. Null where the folder has none of it.
 */
export async function beginWithToken(
  dataDirectory: string,
  rights: string,
  make: (lab: string, rights: string) => Promise<string>,
): Promise<string | null> {
  if (stocked === null || existsSync(dataDirectory)) return null;
  const stock = withToken.get(rights) ?? stockToken(join(dirname(stocked), `lab-${withToken.size}`), rights, make);
  withToken.set(rights, stock);
  const { folder, token } = await stock;
  await cp(folder, dataDirectory, { recursive: true });
  return token;
}

async function stockToken(
  folder: string,
  rights: string,
  make: (lab: string, rights: string) => Promise<string>,
): Promise<TokenStock> {
  await beginWithStock(folder);
  return { folder, token: await make(folder, rights) };
}

import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.ts';

const electronPackage = join(root, 'node_modules', 'electron');

/**
 * The Electron executable, as its own package finds it (`electron/index.js`); null where it was never downloaded, or is
 * not in the folder that the environment names.
 */
export function findElectron(folder: string = electronPackage, env: NodeJS.ProcessEnv = process.env): string | null {
  const named = join(folder, 'path.txt');
  const { ELECTRON_OVERRIDE_DIST_PATH: elsewhere } = env;
  const executable = existsSync(named) ? readFileSync(named, 'utf8').trim() : elsewhere && 'electron';
  if (!executable) return null;
  const path = join(elsewhere || join(folder, 'dist'), executable);
  return existsSync(path) ? path : null;
}

export type ElectronFetch = { ok: true; path: string } | { ok: false; reason: string };

/**
 * Lets Electron's package download its runtime, and gives up after `patienceMs` without new bytes: where GitHub
 * cannot be reached, the download would otherwise hang for minutes before it fails.
 */
export async function fetchElectron(patienceMs = 20_000, folder: string = electronPackage): Promise<ElectronFetch> {
  const temporary = mkdtempSync(join(tmpdir(), 'vitrine-electron-'));
  try {
    const ending = await install(folder, temporary, patienceMs);
    const path = findElectron(folder);
    return path === null ? { ok: false, reason: ending } : { ok: true, path };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Resolves with why there is no runtime, in case there is none afterwards. */
function install(folder: string, temporary: string, patienceMs: number): Promise<string> {
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const child = spawn(process.execPath, [join(folder, 'install.js')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const patience = watchProgress([temporary, join(folder, 'dist')], patienceMs, () => child.kill('SIGKILL'));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      patience.stop();
      resolve(signal === null ? firstLine(complaint, code) : `no data arrived for ${patienceMs / 1000} seconds`);
    });
  });
}

function watchProgress(folders: readonly string[], patienceMs: number, onStalled: () => void): { stop(): void } {
  let size = -1;
  let since = performance.now();
  const timer = setInterval(
    () => {
      const now = bytesIn(folders);
      if (now !== size) [size, since] = [now, performance.now()];
      else if (performance.now() - since >= patienceMs) onStalled();
    },
    Math.min(500, patienceMs),
  );
  return { stop: () => clearInterval(timer) };
}

function bytesIn(folders: readonly string[]): number {
  return folders
    .flatMap((cwd) => globSync('**/*', { cwd }).map((path) => join(cwd, path)))
    .reduce((sum, path) => sum + sizeOf(path), 0);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function firstLine(complaint: string, code: number | null): string {
  const line = complaint.split('\n').find((text) => text.trim() !== '');
  return line?.trim().slice(0, 200) ?? `its installer ended with code ${code}`;
}

import { spawn } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { defaultDataDirectory } from './data-directory.ts';

export interface WebArguments {
  port: number;
  /**
   * The directory that was named, the default one, and where the data is to be moved, or which backup it
   * is to be made of, before it is opened.
   */
  data: { named: string | null; usual: string; moveTo: string | null; restore: string | null };
  exportFolder: string | null;
  backupFolder: string | null;
  watchFolder: string | null;
  /** In which the page may choose folders, besides those of the person. */
  folders: string[];
  openBrowser: boolean;
}

type ReadArguments = { kind: 'run'; arguments: WebArguments } | { kind: 'help' } | { kind: 'wrong'; sentence: string };

const defaultPort = 47117;

export const webUsage = `Usage: npm start -- [options]
  --port N      port on 127.0.0.1 (default ${defaultPort}, 0: any free port)
  --data DIR    data directory
  --move-data-to DIR
                move the data to an empty folder and use it there from now on
  --restore DIR restore a backup to a data directory that has no data yet
  --exports DIR folder for exports
  --backups DIR folder for the backup
  --watch DIR   folder to watch for new files (turn it on in Settings)
  --folder DIR  folder in which the page may choose one for backups or to watch,
                besides your home folder and disks; can be repeated
  --no-open     do not open a browser`;

export function readWebArguments(args: string[], environment: NodeJS.ProcessEnv): ReadArguments {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        exports: { type: 'string' },
        backups: { type: 'string' },
        restore: { type: 'string' },
        watch: { type: 'string' },
        folder: { type: 'string', multiple: true },
        'move-data-to': { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'wrong', sentence: error instanceof Error ? error.message : String(error) };
  }
  if (values.restore && values['move-data-to'])
    return { kind: 'wrong', sentence: '--restore and --move-data-to cannot be combined' };
  if (values.help) return { kind: 'help' };
  const port = readPort(values.port);
  if (port === null) return { kind: 'wrong', sentence: `--port takes a number from 0 to 65535, not "${values.port}"` };
  return {
    kind: 'run',
    arguments: {
      port,
      data: {
        named: values.data ? resolve(values.data) : null,
        usual: defaultDataDirectory(process.platform, environment),
        moveTo: values['move-data-to'] ? resolve(values['move-data-to']) : null,
        restore: values.restore ? resolve(values.restore) : null,
      },
      exportFolder: values.exports ? resolve(values.exports) : null,
      backupFolder: values.backups ? resolve(values.backups) : null,
      watchFolder: values.watch ? resolve(values.watch) : null,
      folders: (values.folder ?? []).map((folder) => resolve(folder)),
      openBrowser: !values['no-open'],
    },
  };
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return defaultPort;
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : null;
}

/** A file has its place, or there is nothing to make it in: another one must be named. */
const noPlaceCodes = new Set(['EEXIST', 'ENOTDIR', 'ENOENT']);

/**
 * Makes the folder given with `--exports` in a folder that exists, so that a wrong one is named at the start and not at
 * the first export.
 */
export async function makeExportFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown';
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    fail(noPlaceCodes.has(code) ? { kind: 'not-writable', path: folder, code } : writeFailure(code, folder), error);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const linkFileLivesMs = 30_000;

/**
 * Opens the person's browser at a one-time link, where there is a browser. The link goes through a file only they
 * can read, because the arguments of a process are visible to every user of the machine.
 */
export async function openInBrowser(link: string, directory: string): Promise<void> {
  const opener = openerFor(process.platform, process.env);
  if (!opener) return;
  const file = join(directory, 'open-vitrine.html');
  // A new file: one that is there may be a link, or open to others.
  await rm(file, { force: true });
  await writeFile(file, page(link), { mode: 0o600, flag: 'wx' });
  setTimeout(() => void rm(file, { force: true }), linkFileLivesMs).unref();
  const child = spawn(opener.command, [...opener.args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', () => void rm(file, { force: true }));
  child.unref();
}

function openerFor(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): { command: string; args: string[] } | null {
  if (platform === 'darwin') return { command: 'open', args: [] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  const hasDisplay = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  return hasDisplay ? { command: 'xdg-open', args: [] } : null;
}

const page = (link: string): string =>
  '<!doctype html><meta charset="utf-8"><title>Vitrine</title>' +
  `<meta http-equiv="refresh" content="0;url=${link}"><a href="${link}">Open Vitrine</a>\n`;

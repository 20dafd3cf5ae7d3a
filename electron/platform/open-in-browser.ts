import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const linkFileLivesMs = 30_000;

/**
 * Opens the person's browser at a one-time link, where there is a browser. The link goes through a file only they
 * can read, because the arguments of a process are visible to every user of the machine.
 */
export async function openInBrowser(link: string, directory: string): Promise<void> {
  const opener = openerFor(process.platform, process.env);
  if (!opener) return;
  const file = join(directory, 'open-vitrine.html');
  await writeFile(file, page(link), { mode: 0o600 });
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

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { WelcomePage } from '../pages/welcome-page.ts';
import { type Program, startProgram } from '../program.ts';
import { runEntry } from './child.ts';
import { type HostCalls, openHostCalls } from './host-calls.ts';
import type { Stretch } from './stretch.ts';

/** The web host, watched for how long it stands still, with a page in a real browser. */
export interface WebDesk {
  page: Page;
  call: HostCalls;
  /** For how long the host's event loop stood still, at most, since it was asked before. */
  hostStandstill(): Promise<Stretch>;
  close(): Promise<void>;
}

const probe = new URL('loop-probe.ts', import.meta.url).href;

/** `isStocked`: its library holds samples already, so that nobody is welcomed. */
export async function openWebDesk(folder: string, { isStocked = false } = {}): Promise<WebDesk> {
  const [data, exports] = [join(folder, 'data'), join(folder, 'exports')];
  await mkdir(exports);
  await runEntry('build/page.ts', []);
  const program = startProgram('--import', [probe, fileURLToPath(new URL('../../electron/web.ts', import.meta.url)), '--port', '0', '--data', data, '--exports', exports, '--no-open']);
  try {
    return await deskOn(program, isStocked);
  } catch (error) {
    await program.stop('SIGKILL');
    throw error;
  }
}

async function deskOn(program: Program, isStocked: boolean): Promise<WebDesk> {
  const [first] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  program.type('\n');
  const [, second = ''] = await program.printed(/#[^]*(http:\/\/127\.0\.0\.1:\d+\/#\S+)/);
  const call = await openHostCalls(second);
  const { page, closeBrowser } = await openPage(first, isStocked);
  let asked = 0;
  return {
    page,
    call,
    hostStandstill: async () => {
      process.kill(program.pid, 'SIGUSR2');
      const [, ms = '', ownMs = ''] = await program.printed(new RegExp(`^event loop ${(asked += 1)}: ([\\d.]+) ms, ([\\d.]+) its own$`, 'm'));
      return { ms: Number(ms), ownMs: Number(ownMs) };
    },
    close: async () => {
      await closeBrowser();
      await program.stop();
    },
  };
}

async function openPage(link: string, isStocked: boolean): Promise<{ page: Page; closeBrowser(): Promise<void> }> {
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(link);
    if (!isStocked) await new WelcomePage(page).skip();
    return { page, closeBrowser: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The machine's own browser: no sandbox for root, and no traffic of its own. */
function launchOptions(): Parameters<typeof chromium.launch>[0] {
  const { VITRINE_CHROMIUM: executablePath } = process.env;
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...sandbox, '--disable-background-networking', '--disable-component-update', '--no-first-run'];
  return executablePath ? { executablePath, args } : { args };
}

import { chromium, type Page } from '@playwright/test';
import { WelcomePage } from '../pages/welcome-page.ts';
import { type HostCalls, openHostCalls } from './host-calls.ts';
import type { Stretch } from './stretch.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

/** The web host, watched for stalls, with a page in a real browser. */
export interface WebHostPage {
  page: Page;
  call: HostCalls;
  host: WatchedHost;
  /** The longest stall of the host's event loop since the last call. */
  hostStandstill(): Promise<Stretch>;
  close(): Promise<void>;
}

/** `isStocked`: its library already holds samples, so that there is no welcome. */
export async function openWebHostPage(folder: string, { isStocked = false } = {}): Promise<WebHostPage> {
  const host = await startWatchedHost(folder);
  try {
    return await pageOn(host, isStocked);
  } catch (error) {
    await host.program.stop('SIGKILL');
    throw error;
  }
}

async function pageOn(host: WatchedHost, isStocked: boolean): Promise<WebHostPage> {
  const [ofPage, ofBench] = [await host.newLink(), await host.newLink()];
  const call = await openHostCalls(ofBench);
  const { page, closeBrowser } = await openPage(ofPage, isStocked);
  return {
    page,
    call,
    host,
    hostStandstill: host.standstill,
    close: async () => {
      await closeBrowser();
      await host.stop();
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

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { HostCalls } from './bench/host-calls.ts';
import { callsOverBridge, callsOverHttp } from './host-calls.ts';
import { type Desktop, endDesktops, startDesktop } from './desktop.ts';
import { startStandIn } from './desktop-stand-in.ts';
import { LookupPage } from './pages/lookup-page.ts';
import { SettingsPage } from './pages/settings-page.ts';
import { type Program, startProgram, stopPrograms } from './program.ts';
import { stockHost, type Stock } from './stocked-host.ts';
import { stockLab } from './stocked-lab.ts';
import { type FieldServer, startFieldServer } from './team.ts';

/** The running program, its own data directory, and every folder it may write to. */
export interface Vitrine {
  page: Page;
  folder: string;
  dataDirectory: string;
  exportFolder: string;
  /** The host's process; null on the desktop, where Playwright owns it. */
  program: Program | null;
  /** Asks the host past the page, for what a test begins with and does not look at. */
  call: HostCalls;
}

interface Fixtures {
  /**
   * Stays in the welcome that a new Vitrine begins with; all others begin at the look-up, with the data of
   * `beginsWith`.
   */
  staysInWelcome: boolean;
  beginsWith: Stock;
  folder: string;
  vitrine: Vitrine;
  lookup: LookupPage;
  settings: SettingsPage;
  /** A lab of its own behind the field dialect, with a token the test knows. */
  field: FieldServer;
}

interface Unasked {
  /** A test with the tag for long tests is skipped unless all tests are requested. */
  leftOut: void;
}

interface WorkerFixtures {
  stock: void;
}

export const test = base.extend<Fixtures & Unasked, WorkerFixtures>({
  leftOut: [
    async ({}, use, testInfo) => {
      testInfo.skip(
        process.env.VITRINE_LEAVES_OUT_LONG !== undefined && testInfo.tags.includes('@long'),
        'the further cases of what another test holds: npm test -- --whole runs it',
      );
      await use();
    },
    { auto: true },
  ],

  staysInWelcome: [false, { option: true }],
  beginsWith: ['welcomed', { option: true }],

  stock: [
    async ({}, use) => {
      const takeAway = await stockLab();
      await use();
      await takeAway();
    },
    { scope: 'worker', auto: true },
  ],

  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-e2e-'));
    for (const name of ['data', 'exports', 'temp']) await mkdir(join(folder, name));
    await use(folder);
    await stopPrograms();
    await endDesktops();
    await rm(folder, { recursive: true, force: true });
  },

  vitrine: async ({ folder, page: browserPage, staysInWelcome, beginsWith }, use, testInfo) => {
    const places = { folder, dataDirectory: join(folder, 'data'), exportFolder: join(folder, 'exports') };
    // A program that begins with its welcome has no data.
    if (!staysInWelcome) await stockHost(beginsWith, places.dataDirectory);
    const { stop, ...started } =
      testInfo.project.name !== 'web' ? await startOnDesktop(places, browserPage) : await startWeb(places, browserPage);
    const complaints = listenForComplaints(started.page);
    if (!staysInWelcome) await new LookupPage(started.page).field.waitFor();
    await use({ ...places, ...started });
    await stop();
    expect(complaints, 'the page threw, broke its own security policy or asked another computer').toEqual([]);
  },

  lookup: async ({ vitrine }, use) => use(new LookupPage(vitrine.page)),
  settings: async ({ vitrine }, use) => use(new SettingsPage(vitrine.page)),

  field: async ({ folder }, use) => {
    const server = await startFieldServer(join(folder, 'team-lab'));
    await use(server);
    await server.stop();
  },
});

export { expect };

type Places = Pick<Vitrine, 'folder' | 'dataDirectory' | 'exportFolder'>;
interface Started extends Omit<Vitrine, keyof Places> {
  stop(): Promise<unknown>;
}

async function startWeb({ folder, dataDirectory, exportFolder }: Places, page: Page): Promise<Started> {
  const program = startProgram(
    'electron/web.ts',
    ['--port', '0', '--data', dataDirectory, '--exports', exportFolder, '--no-open'],
    { TMPDIR: join(folder, 'temp') },
  );
  const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(link);
  return { page, program, call: callsOverHttp(program), stop: () => program.stop() };
}

async function startOnDesktop(places: Places, browserPage: Page): Promise<Started> {
  const desktop: Desktop =
    process.env.VITRINE_ELECTRON === 'stand-in' ? await startStandIn(places, browserPage) : await startDesktop(places);
  return { page: desktop.page, stop: () => desktop.stop(), program: null, call: callsOverBridge(desktop.page) };
}

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  // On the web this computer; the stand-in for a window serves its page from a name that no computer has.
  const own = new URL(page.url()).hostname;
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(?:http|ws)s?:$/.test(protocol) && hostname !== own) complaints.push(`the page asked ${hostname}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|is not a valid|Minified React/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

import { readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What protects the machine from the page, asked of the running window itself. */
export async function expectGuardedWindow(app: ElectronApplication, page: Page): Promise<void> {
  await expectIsolatedPage(page);
  await expectSandboxedProcess(app);
  await expectNoNetwork(app, page);
  await expectNothingGranted(page);
  await expectNowhereToGo(app, page);
}

/** The page has the bridge and nothing of Node or Electron. */
async function expectIsolatedPage(page: Page): Promise<void> {
  const seen = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
  );
  expect(seen).toEqual([]);
  expect(await page.evaluate(`[Object.keys(bridge).toSorted().join(), Object.isFrozen(bridge)]`)).toEqual([
    'call,stageFile,subscribe',
    true,
  ]);
  // In a shared world the bridge's functions would be of the preload, which has `require`.
  expect(await page.evaluate(`bridge.call.constructor === Function`)).toBe(true);
}

/** The kernel filters the system calls of the page's process, which lies in namespaces of its own. */
async function expectSandboxedProcess(app: ElectronApplication): Promise<void> {
  const [main, page] = await app.evaluate(({ BrowserWindow }) => [
    process.pid,
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  ]);
  const status = await readFile(`/proc/${page}/status`, 'utf8');
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  for (const name of ['user', 'pid', 'net'])
    expect(await readlink(`/proc/${page}/ns/${name}`), `its own ${name} namespace`).not.toBe(
      await readlink(`/proc/${main}/ns/${name}`),
    );
  expect(await readFile(`/proc/${main}/cmdline`, 'utf8')).not.toContain('--no-sandbox');
}

/** `connect-src 'none'` answers first; what a policy would let through, the session refuses. */
async function expectNoNetwork(app: ElectronApplication, page: Page): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const policies = await page.evaluate(async (target) => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violated.push(effectiveDirective));
    await fetch(`${target}/fetch`).catch(() => {});
    try {
      new WebSocket(`${target.replace('http', 'ws')}/socket`);
    } catch {
      // Older engines throw here, newer ones report it as an event.
    }
    navigator.sendBeacon(`${target}/beacon`);
    await new Promise((resolve) => {
      const image = new Image();
      image.addEventListener('error', resolve);
      image.src = `${target}/image.png`;
    });
    return violated;
  }, `http://127.0.0.1:${port}`);
  expect(policies).toContain('connect-src');
  expect(policies).toContain('img-src');
  const cancelled = await app.evaluate(
    async ({ session }, target) =>
      session.defaultSession.fetch(`${target}/session`).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    `http://127.0.0.1:${port}`,
  );
  expect(cancelled).toContain('ERR_BLOCKED_BY_CLIENT');
  expect(asked).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
}

async function expectNothingGranted(page: Page): Promise<void> {
  const states = await page.evaluate(async () => {
    const names: PermissionName[] = [
      'geolocation',
      'camera',
      'microphone',
      'notifications',
      'midi',
      'persistent-storage',
    ];
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(states.filter((state) => state !== 'denied')).toEqual([]);
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
  // 1: PERMISSION_DENIED. Without a position, but with the permission, it would be another number.
  expect(
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve('found'),
            ({ code }) => resolve(code),
          ),
        ),
    ),
  ).toBe(1);
  expect(
    await page.evaluate(() =>
      navigator.clipboard.readText().then(
        () => 'read',
        (error: unknown) => (error instanceof Error ? error.name : ''),
      ),
    ),
  ).toBe('NotAllowedError');
}

async function expectNowhereToGo(app: ElectronApplication, page: Page): Promise<void> {
  const before = page.url();
  // Asked of a person who answers "Cancel": nothing is opened.
  await app.evaluate(({ dialog, shell }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    shell.openExternal = async (address) => {
      process.env['OPENED_OUTSIDE'] = address;
    };
  });
  expect(await page.evaluate(() => window.open('https://vitrine.invalid/'))).toBeNull();
  await page.evaluate(() => {
    for (const address of ['https://vitrine.invalid/', 'file:///etc/passwd']) location.assign(address);
  });
  await page.evaluate(() => document.body.append(document.createElement('webview')));
  expect(
    await page.evaluate(() => ({
      address: location.href,
      webview: 'loadURL' in (document.querySelector('webview') ?? {}),
    })),
  ).toEqual({ address: before, webview: false });
  expect(
    await app.evaluate(({ BrowserWindow, webContents }) => [
      BrowserWindow.getAllWindows().length,
      webContents.getAllWebContents().length,
    ]),
  ).toEqual([1, 1]);
  expect(await app.evaluate(() => process.env['OPENED_OUTSIDE'] ?? null)).toBeNull();
  await page.evaluate(() => document.querySelector('webview')?.remove());
}

import { join } from 'node:path';
import { startDesktop } from '../desktop.ts';
import { test } from '../fixtures.ts';
import { expectGuardedWindow } from '../real-window.ts';

test('a real window isolates its page, reaches no network, grants nothing and goes nowhere', async ({ folder }, testInfo) => {
  test.skip(testInfo.project.name !== 'desktop' || process.env.VITRINE_ELECTRON === 'stand-in', 'this asks a window of Electron');
  const { app, page, stop } = await startDesktop({ folder, dataDirectory: join(folder, 'data'), exportFolder: join(folder, 'exports') });
  await expectGuardedWindow(app, page);
  await stop();
});

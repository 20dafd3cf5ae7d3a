import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { until } from '../crashes/vitrine.ts';
import { callsOverBridge } from '../host-calls.ts';
import { type ElectronDesktop, startDesktop } from '../desktop.ts';
import { expect, test } from '../fixtures.ts';
import { expectGuardedWindow } from '../real-window.ts';

/** What only a window of Electron has: the web host has none, and the stand-in for Electron shows nothing. */
test.beforeEach(({}, testInfo) => {
  test.skip(
    testInfo.project.name !== 'desktop' || process.env.VITRINE_ELECTRON === 'stand-in',
    'a real window is needed',
  );
});

const start = (folder: string): Promise<ElectronDesktop> =>
  startDesktop({ folder, dataDirectory: join(folder, 'data'), exportFolder: join(folder, 'exports') });

test('a real window isolates its page, reaches no network, grants no permission and navigates nowhere', async ({
  folder,
}) => {
  const { app, page, stop } = await start(folder);
  await expectGuardedWindow(app, page);
  await stop();
});

test('a window keeps its position when the program is killed after a move', async ({ folder }) => {
  const place = { x: 120, y: 90, width: 1000, height: 700 };
  const first = await start(folder);
  await first.app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place);
  await until(
    async () =>
      (await readFile(join(folder, 'data', 'window.json'), 'utf8').catch(() => '')).includes('"width":1000') || null,
  );
  const killed = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await killed;

  const again = await start(folder);
  expect(await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(place);
  await again.stop();
});

test('closing a window while a folder is watched lists what ends, then stays, minimizes or quits as chosen', async ({
  folder,
}) => {
  const watched = join(folder, 'exports', 'Inbox');
  await mkdir(watched);
  const { app, page } = await start(folder);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, watched);
  const call = callsOverBridge(page);
  await call('watch.chooseFolder', {});
  await call('watch.turn', { isOn: true, workspaceId: labWorkspaceId });

  const { detail, buttons } = await closeAndAnswer(app, 0);
  expect(detail).toContain('New files in “Inbox” are not scanned.');
  expect(detail).not.toContain(folder);
  // There is no tray on this screen.
  expect(buttons).toEqual(['Cancel', 'Keep running, minimized', 'Quit']);
  expect(await windowState(app)).toMatchObject({ isVisible: true, isMinimized: false });
  await closeAndAnswer(app, 1);
  await until(async () => (await windowState(app)).isMinimized || null);
  expect((await call('watch.state', {})).isOn).toBe(true);
  const closed = app.waitForEvent('close');
  await Promise.race([closeAndAnswer(app, 2), closed]);
  await closed;
});

type App = ElectronDesktop['app'];

const question = z.object({ message: z.string(), detail: z.string(), buttons: z.array(z.string()) });

/** Closes the window as its button does, and presses a button of the question by its number. @returns what was asked */
async function closeAndAnswer(app: App, response: number): Promise<z.infer<typeof question>> {
  const options = await app.evaluate(async ({ BrowserWindow, dialog }, pressed) => {
    const shown = new Promise<string>((resolve) => {
      dialog.showMessageBox = async (...args: unknown[]) => {
        resolve(JSON.stringify(args.at(-1)));
        return { response: pressed, checkboxChecked: false };
      };
    });
    BrowserWindow.getAllWindows()[0]?.close();
    return shown;
  }, response);
  return question.parse(JSON.parse(options));
}

const windowState = (app: App): Promise<{ isVisible: boolean; isMinimized: boolean }> =>
  app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return { isVisible: window?.isVisible() ?? false, isMinimized: window?.isMinimized() ?? false };
  });

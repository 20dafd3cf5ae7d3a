import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

/** What the desktop may write to, and where its exports go. */
export interface DesktopPlaces {
  folder: string;
  dataDirectory: string;
  exportFolder: string;
}

export interface Desktop {
  page: Page;
  /** Quits it as a person does, who answers that what runs may be cut off. */
  stop(): Promise<void>;
}

/** The same in Electron, with its main process. */
export interface ElectronDesktop extends Desktop {
  app: ElectronApplication;
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where the program was built for the runtime that the tests are run on. */
const program = process.env.VITRINE_DESKTOP ?? root;
/** The packed program, when that is what is tested: it is a runtime of its own. */
const packed = process.env.VITRINE_PACKED_INSPECTABLE;
const started = packed === undefined ? { args: [program] } : { executablePath: packed, args: [] };

/**
 * Starts the desktop of this checkout, or the packed one. Playwright finds the runtime as `electron` itself does, and
 * gives it no keychain of the person's; the sandbox is the one that a person has. A picker of the system, which no test
 * can reach, answers with the export folder.
 */
export async function startDesktop({ folder, dataDirectory, exportFolder }: DesktopPlaces): Promise<ElectronDesktop> {
  const temp = join(folder, 'temp');
  const app = await _electron.launch({
    ...started,
    args: [...started.args, '--data', dataDirectory],
    cwd: root,
    chromiumSandbox: true,
    env: { ...strings(process.env), TMPDIR: temp, TEMP: temp, TMP: temp },
  });
  running.add(app);
  app.once('close', () => running.delete(app));
  await answerDialogs(app, exportFolder);
  const page = await app.firstWindow();
  await page.setViewportSize({ width: 1280, height: 800 });
  await chooseExportFolder(page);
  return { page, app, stop: () => quit(app) };
}

const running = new Set<ElectronApplication>();

/** Ends what a test that failed on its way did not come to stop. */
export async function endDesktops(): Promise<void> {
  for (const app of running) {
    const closed = app.waitForEvent('close');
    app.process().kill('SIGKILL');
    await closed;
  }
}

async function answerDialogs(app: ElectronApplication, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    // The second button of the one question that a test comes to: "Quit".
    dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
  }, folder);
}

/** The web host gets it at its start. The page loads again to refresh what it knew of its host by then. */
async function chooseExportFolder(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate(`bridge.call('host.chooseExportFolder', {})`);
  await page.reload();
}

async function quit(app: ElectronApplication): Promise<void> {
  const closed = app.waitForEvent('close');
  // Answered first: the end that it asks for would cut the answer off.
  await app.evaluate((electron) => void setImmediate(() => electron.app.quit()));
  await closed;
}

function strings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

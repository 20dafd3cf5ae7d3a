import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron';
import type { ShellCommand } from '../shared/domain/host.ts';
import { visibleLine } from '../shared/domain/visible-text.ts';
import { sentenceFor } from '../shared/failure-sentences.ts';
import { FailureError } from '../shared/failure.ts';
import { typedPath } from './base/name-bytes.ts';
import { compose, type Host } from './compose.ts';
import type { HostEvent } from './event-hub.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { createElectronPlatform } from './platform/electron-platform.ts';
import { ignoreLostOutput, limitYoungGeneration } from './platform/process.ts';
import { type DataAtStart, dataAtStart } from './storage/directory/directory-at-start.ts';
import { makeOwnFolder } from './storage/directory/private-files.ts';
import { type IpcHost, serveIpc } from './transports/ipc.ts';
import { presenceAt } from './transports/local-socket-client.ts';
import { serveLocalSocket } from './transports/local-socket.ts';
import { findPageFile } from './transports/static-files.ts';
import { keepProfileIn, registerIdentity } from './windows/app-identity.ts';
import { type BackgroundNews, startBackgroundNews } from './windows/background-news.ts';
import { keepAwake } from './windows/background-work.ts';
import {
  isRestart,
  moveTarget,
  namedDataDirectory,
  relaunchOptions,
  restoreSource,
} from './windows/desktop-arguments.ts';
import { answersAt, missingDisplay, missingSandbox, type ObstacleWords, showByTool } from './windows/linux-checks.ts';
import { followTheme, mainWindowOptions, PageInbox, SoleWindow } from './windows/main-window.ts';
import { applicationMenu, contextMenu, dockMenu, openMenuByKey, viewTasks } from './windows/menu.ts';
import { MessageBoxes } from './windows/message-boxes.ts';
import {
  denyNavigation,
  denyNetwork,
  denyPermissions,
  isFromOwnPage,
  openLink,
  pageAddress,
  pageScheme,
  pageSchemeRegistration,
  servePage,
} from './windows/page-security.ts';
import { type ClosingPorts, endAtSignals, guardClosing, guardQuit, type QuitGuard } from './windows/quit.ts';
import { hasInspectFuse, refusalMessage, refusedStart } from './windows/refused-switches.ts';
import {
  claimSingleInstance,
  firstAnswersWithinMs,
  handleStartArguments,
  type InstanceReactions,
  SilentFirstError,
  silentFirstMessage,
} from './windows/single-instance.ts';
import { hasTray, trayIcon, TrayPresence } from './windows/tray.ts';
import { pageQuestion, type PageWatchPorts, watchPage } from './windows/unresponsive-page.ts';
import { readWindowState, rememberWindowState } from './windows/window-state.ts';

/**
 * The desktop: platform → compose → serve over IPC → window. Each decision is a module in `windows/` that explains why.
 * Never a top-level await of the ready event: Electron waits for this module first, and would wait for ever.
 */
/** A process that ends for a move of its data releases the data by then. */
const endsWithinMs = 10_000;
const answerTurnMs = 100;
await endAtObstacle();
const namedDirectory = namedDataDirectory(process.argv);
const atStart = await dataToOpen();
const dataDirectory = atStart.directory;
const pageFolder = fileURLToPath(new URL('../../page', import.meta.url));
const preload = fileURLToPath(new URL('preload.cjs', import.meta.url));
const inbox = new PageInbox<HostEvent>();
const sole = new SoleWindow<BrowserWindow>();
const boxes = new MessageBoxes<BrowserWindow>({
  sole,
  show: (options, over) => (over === null ? dialog.showMessageBox(options) : dialog.showMessageBox(over, options)),
});

ignoreLostOutput(process);
// Before ready: the sandbox, the scheme, and the place of the browser's profile.
app.enableSandbox();
app.commandLine.appendSwitch('disable-background-networking');
protocol.registerSchemesAsPrivileged([pageSchemeRegistration]);

const reactions: InstanceReactions = {
  onWanted: () => sole.show(),
  onDeepLink: (md5) => inbox.put({ name: 'lookup.prefill', payload: { md5 } }),
  onView: (view) => inbox.put({ name: 'shell.command', payload: { kind: 'open-view', view } }),
};
const isFirst = claimSingleInstance(app, reactions);
if (isFirst) handleStartArguments(process.argv, reactions);
if ('reason' in atStart) endWhenReady(atStart.reason);
else if (isFirst)
  app
    .whenReady()
    .then(() => start(atStart))
    .catch(endWithReason);
else if (atStart.notMoved !== null) endWhenReady(new FailureError(atStart.notMoved));
else app.quit();

/**
 * Before anything is opened, and before Chromium opens a debugging port or crashes. On Linux the box is a line on
 * standard error.
 */
async function endAtObstacle(): Promise<void> {
  const { argv: args, env, execPath, platform: system } = process;
  const refused = refusedStart({
    args,
    env,
    isPackaged: app.isPackaged,
    isDebuggable: () => hasInspectFuse(execPath, system),
  });
  const isSandbox = refused === '--no-sandbox' && system === 'linux';
  if (isSandbox) showByTool(missingSandbox, { env, exists: existsSync, spawn });
  if (refused !== null) endBeforeReady(isSandbox ? missingSandbox : refusalMessage(refused), 2);
  const display = await missingDisplay({ args, env, system }, answersAt);
  if (display !== null) endBeforeReady(display, 1);
}

function endBeforeReady({ what, then }: ObstacleWords, code: number): never {
  dialog.showErrorBox(what, then);
  process.exit(code);
}

/** Before ready, since the browser's profile lies in it, and after the move that the arguments ask for. */
async function dataToOpen(): Promise<DataAtStart | { directory: string; reason: unknown }> {
  const usual = defaultDataDirectory(process.platform, process.env);
  const choice = {
    named: namedDirectory,
    usual,
    moveTo: moveTarget(process.argv),
    restore: restoreSource(process.argv),
    hostEndsWithinMs: isRestart(process.argv) ? endsWithinMs : 0,
  };
  try {
    const found = await dataAtStart(choice, (line) => process.stdout.write(`${visibleLine(line)}\n`));
    const first = await presenceAt({ dataDirectory: found.directory, withinMs: firstAnswersWithinMs });
    if (first.kind === 'silent') throw new SilentFirstError(first.processId);
    keepProfile(found.directory);
    return found;
  } catch (reason) {
    return noData(reason);
  }
}

/**
 * Linux shows no message before the program is ready, and to get there takes a browser's profile: one that is thrown
 * away.
 */
function noData(reason: unknown): { directory: string; reason: unknown } {
  if (process.platform !== 'linux') endBeforeReady(wordsOf(reason), 1);
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-no-desk-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  keepProfile(directory);
  return { directory, reason };
}

function keepProfile(directory: string): void {
  keepProfileIn(directory, { makeFolder: makeOwnFolder, setPath: (name, path) => app.setPath(name, path) });
}

function endWhenReady(reason: unknown): void {
  void app.whenReady().then(() => endWithReason(reason));
}

async function start({ notMoved }: DataAtStart): Promise<void> {
  limitYoungGeneration();
  registerIdentity(app, {
    system: process.platform,
    isPackaged: app.isPackaged,
    program: process.execPath,
    namedDirectory,
  });
  const platform = await createElectronPlatform(
    electronParts((args) => quit.endThen(() => startAgain(args))),
    { dataDirectory, namedDirectory, system: process.platform },
  );
  const host = await compose({ platform, exportFolder: null });
  const withTheme = followTheme(nativeTheme, {
    system: process.platform,
    chosen: () => host.theme(),
    window: () => sole.current,
  });
  const ipc = serveIpc<Electron.IpcMainInvokeEvent>({
    ...host,
    staging: {
      stageStream: host.staging.stageStream.bind(host.staging),
      stagePath: (path) => host.staging.stagePath(typedPath(path)),
    },
    dispatch: withTheme(host.dispatch),
    ipcMain,
    isTrusted: isFromOwnPage,
  });
  const commands = await serveLocalSocket({ ...host, dispatch: withTheme(host.dispatch), dataDirectory });
  const news = startBackgroundNews({
    events: host.events,
    isWanted: () => host.wantsNotifications(),
    isWatched: () => sole.isFocused,
    createNotification: (words) => new Notification(words),
    onChosen: leadPage,
    onFailure: (error) => host.logDefect(randomUUID(), 'notification', error),
  });
  const tray = trayFor(host);
  const quit: QuitGuard = guardQuit(app, {
    runningJobs: () => host.runningJobs(),
    ask: () => boxes.confirmQuit(host.backgroundWork()),
    close: async () => {
      sole.end();
      news.stop();
      tray.end();
      ipc.close();
      await commands.close();
      await host.close();
    },
    onFailure: (error) => host.logDefect(randomUUID(), 'host.close', error),
  });
  endAtSignals(process, quit);
  protocol.handle(
    pageScheme,
    servePage((path) => findPageFile(pageFolder, path)),
  );
  denyPermissions(session.defaultSession);
  denyNetwork(session.defaultSession);
  Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(menuOptions(host))));
  makeShortcuts();
  sole.begin(() => openWindow({ host, ipc, quit, news, tray }));
  // Over the window, once it is shown.
  if (notMoved !== null) sole.current?.once('ready-to-show', () => void boxes.reportNotMoved(notMoved, dataDirectory));
  else if (moveTarget(process.argv) !== null) inbox.put({ name: 'shell.command', payload: { kind: 'open-storage' } });
  app.on('activate', () => sole.show());
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit());
}

function electronParts(restart: (args: readonly string[]) => void): Parameters<typeof createElectronPlatform>[0] {
  return {
    restart,
    safeStorage,
    shell,
    session: session.defaultSession,
    showOpenDialog: (options) =>
      sole.current === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(sole.current, options),
    keepAwake: () => keepAwake(powerSaveBlocker),
    canNotify: Notification.isSupported(),
    isPackaged: app.isPackaged,
    fork: (modulePath, args, options) => utilityProcess.fork(modulePath, args, options),
  };
}

function menuOptions(host: Host): Parameters<typeof applicationMenu>[0] {
  return {
    platform: process.platform,
    isPackaged: app.isPackaged,
    openDataFolder: () => void host.dispatch('host.openDataFolder', {}),
    openLog: () => void host.dispatch('host.openLog', {}),
    send: leadPage,
  };
}

/** Shows the window, and something in it as soon as its page is there. */
function leadPage(command: ShellCommand): void {
  sole.show();
  inbox.put({ name: 'shell.command', payload: command });
}

function makeShortcuts(): void {
  if (process.platform === 'win32' && app.isPackaged) app.setUserTasks(viewTasks(process.execPath, namedDirectory));
  app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(leadPage)));
}

/** Subscribes to all events, but does nothing while there is no icon. */
function trayFor(host: Host): TrayPresence<Tray> {
  const tray = new TrayPresence<Tray>({
    hasTray: canShowTray,
    createTray: () => new Tray(nativeImage.createFromDataURL(trayIcon)),
    setMenu: (icon, template) => icon.setContextMenu(Menu.buildFromTemplate(template)),
    work: () => host.backgroundWork(),
    open: () => sole.show(),
    quit: () => app.quit(),
  });
  host.events.subscribe(() => tray.update());
  return tray;
}

function canShowTray(): Promise<boolean> {
  return hasTray(process.platform, async (command, args, options) =>
    String((await promisify(execFile)(command, args, options)).stdout),
  );
}

interface WindowParts {
  host: Host;
  ipc: IpcHost;
  quit: QuitGuard;
  news: BackgroundNews;
  tray: TrayPresence<Tray>;
}

function openWindow(parts: WindowParts): BrowserWindow {
  const { host, ipc, quit, news, tray } = parts;
  const stateFile = join(dataDirectory, 'window.json');
  const state = readWindowState(
    stateFile,
    [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea),
  );
  const opened = new BrowserWindow(
    mainWindowOptions({
      state,
      preload,
      isDark: nativeTheme.shouldUseDarkColors,
      system: process.platform,
      isPackaged: app.isPackaged,
    }),
  );
  if (state.maximized) opened.maximize();
  const contents = opened.webContents;
  denyNavigation(
    contents,
    (address) =>
      void openLink(address, {
        confirm: (url) => boxes.confirmLink(url),
        openExternal: (url) => shell.openExternal(url),
      }),
  );
  rememberWindowState(opened, stateFile, (error) => host.logDefect(randomUUID(), 'window.remember', error));
  contents.on('context-menu', (_event, target) => popUp(contextMenu(target), opened));
  openMenuByKey(contents, process.platform, (place) => Menu.getApplicationMenu()?.popup({ window: opened, ...place }));
  contents.on('did-finish-load', () => inbox.open((event) => host.events.emit(event)));
  const connection = connectPage(ipc, contents);
  watchPage(contents, {
    ...connection,
    chooseAction: (trouble, signal) =>
      boxes.choosePageAction(opened, pageQuestion(trouble, host.runningJobs()), signal),
    isEnding: () => quit.hasEnded(),
    quit: () => quit.endThen(() => {}),
    onFailure: (error) => host.logDefect(randomUUID(), 'page', error),
  });
  opened.once('ready-to-show', () => opened.show());
  if (process.platform !== 'darwin') guardClosing(opened, closingPorts(opened, parts));
  tray.follow(opened);
  news.follow(opened);
  opened.on('closed', connection.disconnect);
  // A page that dies while it is loaded is asked about; that it was not loaded is for the log.
  opened.loadURL(pageAddress).catch((error: unknown) => host.logDefect(randomUUID(), 'page', error));
  return opened;
}

function closingPorts(opened: BrowserWindow, { host, quit, tray }: WindowParts): ClosingPorts {
  return {
    hasEnded: () => quit.hasEnded(),
    choice: () => host.whenClosed(),
    work: () => host.backgroundWork(),
    chooseAnswer: async (work) => boxes.confirmClose(opened, work, await canShowTray()),
    stay: () => tray.stay(opened),
    quit: () => app.quit(),
    quitAtOnce: () => quit.endThen(() => {}),
    onFailure: (error) => host.logDefect(randomUUID(), 'window.close', error),
  };
}

/** Nothing where there is nothing to choose: the system would show an empty menu. */
function popUp(template: Electron.MenuItemConstructorOptions[], over: BrowserWindow): void {
  if (template.length > 0) Menu.buildFromTemplate(template).popup({ window: over });
}

/** What happens reaches the page, and after its death the one that is loaded in its place. */
function connectPage(ipc: IpcHost, contents: Electron.WebContents): Pick<PageWatchPorts, 'connect' | 'disconnect'> {
  let removePage = ipc.addPage(contents);
  const disconnect = (): void => {
    removePage();
    inbox.close();
  };
  const connect = (): void => {
    disconnect();
    removePage = ipc.addPage(contents);
  };
  return { connect, disconnect };
}

function startAgain(args: readonly string[]): void {
  app.relaunch(
    relaunchOptions({ args: process.argv, appImage: process.env['APPIMAGE'], isPackaged: app.isPackaged }, args),
  );
}

/**
 * A data directory in use, or from a newer version: the sentence, and the end. A signal ends it meanwhile, which a box
 * that blocks this thread would not notice.
 */
async function endWithReason(error: unknown): Promise<void> {
  const words = wordsOf(error);
  endAtSignals(process, { endThen: endInVain });
  // The answer reaches us in the next turn of the event loop, and nothing else makes one: without it a closed box kept
  // the program for 20 s (Electron 33).
  setInterval(() => {}, answerTurnMs);
  await dialog.showMessageBox({
    type: 'error',
    title: 'Vitrine',
    message: words.what,
    detail: words.then,
    buttons: ['Quit'],
  });
  endInVain();
}

function endInVain(): void {
  // Its socket lies in a temporary folder of its own, which would stay there.
  app.releaseSingleInstanceLock();
  app.exit(1);
}

function wordsOf(error: unknown): { what: string; then: string } {
  if (error instanceof FailureError) return sentenceFor(error.failure);
  if (error instanceof SilentFirstError) return silentFirstMessage(error.processId);
  return { what: 'Vitrine could not start', then: error instanceof Error ? error.message : String(error) };
}

import { fileURLToPath } from 'node:url';
import { visibleLine } from '../shared/domain/visible-text.ts';
import { sentenceFor } from '../shared/failure-sentences.ts';
import { FailureError } from '../shared/failure.ts';
import { compose, type Host } from './compose.ts';
import { createNodePlatform } from './platform/node-platform.ts';
import { ignoreLostOutput, limitYoungGeneration } from './platform/process.ts';
import {
  makeExportFolder,
  openInBrowser,
  readWebArguments,
  type WebArguments,
  webUsage,
} from './platform/web-start.ts';
import { directoryAtStart } from './storage/directory/directory-at-start.ts';
import { type HttpHost, serveHttp } from './transports/http.ts';
import { type LocalSocketHost, serveLocalSocket } from './transports/local-socket.ts';

/**
 * The web host: the same program in a browser, on loopback, for machines without an Electron runtime.
 * Prints a link that works once; Enter prints another.
 */
async function main(): Promise<number | null> {
  const read = readWebArguments(process.argv.slice(2), process.env);
  if (read.kind === 'help') return print(webUsage, 0);
  if (read.kind === 'wrong') return print(`${read.sentence}\n${webUsage}`, 2);
  try {
    await serve(read.arguments);
    return null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { what, then } = sentenceFor(error.failure);
    return print(visibleLine(`${what}. ${then}`), 1);
  }
}

const repeatedSignalMs = 2_000;

async function serve(options: WebArguments): Promise<void> {
  if (options.exportFolder) await makeExportFolder(options.exportFolder);
  const dataDirectory = await directoryAtStart(options.data, (line) => process.stdout.write(`${visibleLine(line)}\n`));
  const platform = createNodePlatform({
    dataDirectory,
    namedDirectory: options.data.named,
    exportFolder: options.exportFolder,
    backupFolder: options.backupFolder,
    watchFolder: options.watchFolder,
    folders: options.folders,
  });
  const host = await compose({ platform, exportFolder: options.exportFolder });
  const http = await serveOrClose(host, options.port);
  const socket = await serveLocalSocket({ ...host, dataDirectory });
  endOnSignals(http, socket, host);
  const link = http.newLink();
  process.stdout.write(`Vitrine is at ${link}\nThe link works once. Press Enter for a new link, Ctrl-C to stop.\n`);
  printLinkOnEnter(http);
  if (options.openBrowser) await openInBrowser(link, dataDirectory);
}

async function serveOrClose(host: Host, port: number): Promise<HttpHost> {
  try {
    return await serveHttp({ ...host, port, pageDirectory: fileURLToPath(new URL(pageFromHere(), import.meta.url)) });
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** The page is built once; from source it is in `.out/page`, from the bundle it lies beside `host`. */
const pageFromHere = (): string => (import.meta.url.endsWith('.ts') ? '../.out/page' : '../../page');

function printLinkOnEnter(http: HttpHost): void {
  process.stdin.on('data', () => process.stdout.write(`${http.newLink()}\n`));
  process.stdin.on('error', () => process.stdin.destroy());
  process.stdin.unref?.();
}

function endOnSignals(http: HttpHost, socket: LocalSocketHost, host: Host): void {
  let endingSince: number | null = null;
  const end = async (): Promise<void> => {
    // One Ctrl-C can arrive several times, from the terminal and from the parent process; a person presses again later.
    if (endingSince !== null && performance.now() - endingSince > repeatedSignalMs) process.exit(130);
    if (endingSince !== null) return;
    endingSince = performance.now();
    await http.close();
    await socket.close();
    await host.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
}

function print(text: string, exitCode: number): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

limitYoungGeneration();
ignoreLostOutput(process);
const exitCode = await main();
if (exitCode !== null) process.exit(exitCode);

import { flushCompileCache } from 'node:module';
import { type ProcessWatch, watchProcess } from './base/process-watch.ts';
import { openHostChannel } from './platform/host-channel.ts';
import { serveScans } from './rules/scanning/serve-scans.ts';
import { isToScanWorker } from './rules/scanning/worker-messages.ts';
import { sampleReader } from './services/scans/read-scan-source.ts';

/**
 * An engine, in a process of its own: nothing else ends a scan that does not end by itself, nor gives back what it
 * took.
 */
const host = openHostChannel(process);
if (host === null) throw new Error('this program is started by another one');
host.onGone(() => process.exit());
let started: ProcessWatch | null = null;
let memoryMebibytes = 0;
const watch = (): void => {
  // Electron ends its own by itself.
  started ??= watchProcess({ endsWithParent: process.send !== undefined });
  started.limitMemory(memoryMebibytes);
};
// The thread that looks is needed from the first scan on, and is not to hold up the compiling of few rules: one of us
// that was started ahead has time for it before.
/** Parts of the rules that came. */
let sources = 0;
const idleMs = 10;
const whenIdle = setTimeout(watch, idleMs);
host.onMessage((message) => {
  clearTimeout(whenIdle);
  if (!isToScanWorker(message)) return;
  if (message.kind === 'limit') memoryMebibytes = message.memoryMebibytes;
  sources += Number(message.kind === 'source');
  if (message.kind === 'scan' || sources > 1 || started !== null) watch();
});
// Each of these is killed, and Node stores nothing of what it compiled: the process that only checks whether the engine
// is there stores it for the others.
const post = (message: object): void => {
  if ('kind' in message && message.kind === 'checked') flushCompileCache();
  host.post(message);
};
serveScans({ postMessage: post, on: (_event, listener) => host.onMessage(listener) }, sampleReader);

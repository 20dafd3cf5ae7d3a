import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LocalEngine } from '../../../../shared/domain/scan.ts';
import { createNodePlatform } from '../../../platform/node-platform.ts';
import { packageOf, type Texts } from '../../../rules/library/package.fixture.ts';
import { usablePieces } from '../../../rules/library/usable-rules.ts';
import { programOf } from '../../../rules/scanning/rule-program.ts';
import { openScanSession, type ScanSession } from '../../../rules/scanning/scan-session.ts';
import type { ScanVerdict } from '../../../rules/scanning/scan-verdict.ts';
import type { ScanOrder } from '../../../rules/scanning/task-queue.ts';
import type { ScanLimits, ScanWorker, WarmWorkers } from '../../../rules/scanning/worker-messages.ts';
import { scanWorkerProcess } from '../native-engine.ts';
import type { ScanSource } from '../read-scan-source.ts';

export const processes = {
  platform: createNodePlatform({ dataDirectory: tmpdir(), exportFolder: null }),
  redact: (text: string): string => text,
  logExit: (): void => {},
};

export interface OpenedSession {
  session: ScanSession<ScanSource>;
  /** As they were started. */
  workers: ScanWorker[];
  leftOut: string[];
  didCompile(): boolean;
  abort(): void;
}

export interface SessionOptions {
  engine?: LocalEngine;
  workers?: number;
  limits?: Partial<ScanLimits>;
  names?: ReadonlySet<string> | null;
  /** Where its scan workers come from, and are left. */
  warm?: WarmWorkers & { start(): ScanWorker };
}

/** With the rules of one file, or of several by their paths. Closed when the test is over. */
export async function openedSession(
  rules: string | Texts,
  { engine = 'wasm', workers = 1, limits = {}, names = null, warm }: SessionOptions = {},
): Promise<OpenedSession> {
  const started: ScanWorker[] = [];
  const leftOut: string[] = [];
  const controller = new AbortController();
  const startScanWorker = (): ScanWorker => {
    const worker = warm?.start() ?? scanWorkerProcess(processes);
    started.push(worker);
    return worker;
  };
  const program = programOf(usablePieces(packageOf(typeof rules === 'string' ? { 'a.yar': rules } : rules), 0), names);
  let didCompile = false;
  const session = await openScanSession<ScanSource>({
    program,
    engine,
    startScanWorker,
    workers,
    limits,
    ...(warm && { warm }),
    compiles: () => {
      didCompile = true;
    },
    signal: controller.signal,
    leftOut: (rule, reason) => leftOut.push(`${rule} ${reason}`),
  });
  onTestFinished(() => session.close());
  return { session, workers: started, leftOut, didCompile: () => didCompile, abort: () => controller.abort() };
}

/** Makes files in a folder that is gone when the test is over. @returns an order for each */
export function ordersFor(files: Readonly<Record<string, Uint8Array | string>>): ScanOrder<ScanSource>[] {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-scan-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    return orderFor(join(folder, name));
  });
}

export function orderFor(path: string): ScanOrder<ScanSource> {
  const { size: sizeBytes, mtimeMs: changedMs } = statSync(path);
  return {
    name: basename(path),
    sizeBytes,
    source: { kind: 'staged', source: { kind: 'in-place', path, sizeBytes, changedMs } },
  };
}

/** Names of the rules that were found, or what else came of it. */
export function saidOf(verdict: ScanVerdict): string {
  if (verdict.kind === 'scanned') return verdict.found.map(({ rule }) => rule).join(' ');
  return verdict.kind === 'failed' ? verdict.failure.kind : `unreadable: ${verdict.reason}`;
}

/** In the order of the orders. */
export const scanAll = async (
  session: ScanSession<ScanSource>,
  orders: readonly ScanOrder<ScanSource>[],
): Promise<string[]> => (await Promise.all(orders.map((order) => session.scan(order)))).map(saidOf);

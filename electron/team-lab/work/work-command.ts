import { availableParallelism } from 'node:os';
import { collectDefaultMetrics, Counter, Registry } from 'prom-client';
import type { LabScanLimits } from '../../lab/scan-file.ts';
import type { WorkTask } from '../command-line.ts';
import { openTeamStores, secretsOf } from '../team-stores.ts';
import { LabLog, serveMetrics } from '../watch.ts';
import { Hunts, type PieceProgress } from './hunts.ts';
import type { RequestOutcome } from './request-track.ts';
import { ScanQueue } from './scan-queue.ts';
import { ScanRequests } from './scan-requests.ts';
import { ScanWorkers } from './worker.ts';

/** Besides the two that maintain the queue. Tracks need one for some milliseconds in a second. */
const connections = 5;

/** Scans until it is closed. */
export async function startWork(
  task: WorkTask,
  addresses: { database: string; blobs: string },
  write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
  limits?: LabScanLimits,
): Promise<{ metricsPort: number | null; close(graceMs: number): Promise<void> }> {
  const log = new LabLog(write, secretsOf(addresses));
  const report = (error: unknown): void => log.error(error);
  const stores = await openTeamStores(addresses, report, { connections });
  if (stores.bucketAway !== null) report(stores.bucketAway);
  const metrics = new WorkMetrics();
  try {
    const queue = await ScanQueue.open(addresses.database, { lab: stores.database, supervises: true, report });
    const measured = task.metrics && (await serveMetrics(metrics, task.metrics, report).catch(closing(queue)));
    const tracks = task.tracks ?? availableParallelism();
    const hunts = new Hunts(stores.database, queue);
    const workers = new ScanWorkers({
      stores,
      hunts,
      requests: new ScanRequests(stores.database, queue),
      queue,
      tracks,
      probeStore: () => stores.probe(),
      report,
      kept: ({ run, number }, progress) => {
        metrics.kept(progress);
        const { scanned, hits, failures } = progress;
        log.info('scanned', { hunt: run, piece: number, scanned, hits: hits.length, failed: failures.length });
      },
      answered: (outcome) => metrics.answered(outcome),
      paused: (why) => {
        report(why);
        log.info('taking no files of clients until the store can be used');
      },
      resumed: () => log.info('taking files of clients again'),
      ...(limits === undefined ? {} : { limits }),
    });
    log.info('working', { tracks, metrics: measured?.port ?? null });
    return {
      metricsPort: measured?.port ?? null,
      close: async (graceMs) => {
        log.info('ending');
        await workers.close(graceMs);
        await queue.close();
        await measured?.close();
        await stores.close();
        log.info('ended');
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** For a worker that cannot begin. */
const closing =
  (queue: ScanQueue) =>
  async (error: unknown): Promise<never> => {
    await queue.close();
    throw error;
  };

/** Numbers of a worker in Prometheus's text format. */
class WorkMetrics {
  readonly #registry = new Registry();
  readonly #samples = new Counter({
    name: 'vitrine_lab_scanned_samples_total',
    help: 'Samples of hunts, by outcome',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #hits = new Counter({
    name: 'vitrine_lab_hits_total',
    help: 'Rules found in samples by hunts',
    registers: [this.#registry],
  });

  readonly #files = new Counter({
    name: 'vitrine_lab_scanned_files_total',
    help: 'Files of clients, by outcome: scanned, failed, or given up: their clients had left, or others take them',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  kept({ scanned, hits, failures }: Pick<PieceProgress, 'scanned' | 'hits' | 'failures'>): void {
    this.#samples.inc({ outcome: 'scanned' }, scanned);
    this.#samples.inc({ outcome: 'failed' }, failures.length);
    this.#hits.inc(hits.length);
  }

  answered(outcome: RequestOutcome): void {
    this.#files.inc({ outcome });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

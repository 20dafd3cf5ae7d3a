import { mkdir, rm } from 'node:fs/promises';
import { namedCalls, pointsOf } from './crash-points.ts';
import { CrashRuns } from './crash-run.ts';
import type { DurableChange } from './durable-change.ts';
import type { Point } from './traced-program.ts';

/** What became of a change that was crashed wherever it can be. */
export interface CrashedChange {
  name: string;
  /** The calls behind which it was killed, by their names, each once. */
  calls: readonly string[];
  /** How often it was killed. */
  points: number;
  /** What does not hold, in words. */
  faults: readonly string[];
  seconds: number;
}

/** What another thread does between two calls is not the same each time. */
const tries = 3;

/** An aborted one ends with what it found so far. */
export async function crashChange(change: DurableChange, folder: string, signal: AbortSignal): Promise<CrashedChange> {
  const began = performance.now();
  await mkdir(folder, { recursive: true });
  const runs = await CrashRuns.prepare(folder, change);
  try {
    const recorded = await runs.recorded();
    const named = namedCalls(recorded.calls, recorded.folder);
    const points = named.flatMap((call) => pointsOf(call, runs.writesTried));
    const crashed = await crashAll(runs, points, signal);
    const faults = [
      ...runs.disorder(recorded.callsWhenReported, recorded.folder),
      ...crashed.faults,
      ...(await fillAll(runs, signal)),
    ];
    return {
      name: change.name,
      calls: named.map(({ name }) => name),
      points: crashed.reached,
      faults,
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    await runs.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function crashAll(
  runs: CrashRuns,
  points: readonly Point[],
  signal: AbortSignal,
): Promise<{ reached: number; faults: string[] }> {
  const waiting = [...points];
  const faults: string[] = [];
  let reached = 0;
  const work = async (): Promise<void> => {
    for (let point = waiting.shift(); point !== undefined && !signal.aborted; point = waiting.shift()) {
      const { wasReached, fault } = await crashAt(runs, point);
      if (wasReached) reached += 1;
      if (fault !== null) faults.push(`killed after ${point.name} (${point.nth}): ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: runs.atOnce }, work));
  return { reached, faults: faults.toSorted() };
}

async function fillAll(runs: CrashRuns, signal: AbortSignal): Promise<string[]> {
  const faults: string[] = [];
  for (const space of runs.spaces) {
    if (signal.aborted) break;
    const fault = await runs.full(space).then(() => null, wordsOf);
    if (fault !== null) faults.push(`with ${space / 1024} KiB left on the disk: ${fault}`);
  }
  return faults;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function crashAt(runs: CrashRuns, point: Point): Promise<{ wasReached: boolean; fault: string | null }> {
  try {
    for (let tried = 0; tried < tries; tried += 1)
      if (await runs.crash(point)) return { wasReached: true, fault: null };
    // One that comes by chance, such as a checkpoint, may come less often; the first of each name must come.
    return { wasReached: false, fault: point.nth === 1 ? 'it never came there again' : null };
  } catch (error) {
    return { wasReached: true, fault: wordsOf(error) };
  }
}

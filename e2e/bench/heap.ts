import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { classesIn, growingClasses } from './heap-classes.ts';
import type { Held } from './row.ts';

/** The part of a debugger's client that is needed here: for a program, or for a page in the browser. */
export interface HeapClient {
  send(
    method:
      'HeapProfiler.enable' | 'HeapProfiler.collectGarbage' | 'HeapProfiler.takeHeapSnapshot' | 'Runtime.getHeapUsage',
  ): Promise<unknown>;
  on(event: 'HeapProfiler.addHeapSnapshotChunk', listener: (parameters: unknown) => void): () => void;
}

/** What a thread's heap holds that is still in use. */
export interface Heap {
  /** Objects, and the bytes of buffers beside them. */
  usedMiB: number;
  classes: ReadonlyMap<string, number>;
}

const usage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) });
const chunk = z.object({ chunk: z.string() });
const mib = 1024 * 1024;
/** Timers and replies of what was just done are over then. */
const settlingMs = 1_000;

/** The heap after a full garbage collection, which frees all that can go. The thread is blocked meanwhile. */
export async function heapOf(client: HeapClient): Promise<Heap> {
  await client.send('HeapProfiler.enable');
  await pause(settlingMs);
  // What the first frees may have held others by a finalizer or a weak reference.
  for (let time = 0; time < 2; time += 1) await client.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = usage.parse(await client.send('Runtime.getHeapUsage'));
  return { usedMiB: (usedSize + backingStorageSize) / mib, classes: classesIn(await snapshotOf(client)) };
}

async function snapshotOf(client: HeapClient): Promise<string> {
  const pieces: string[] = [];
  const leave = client.on('HeapProfiler.addHeapSnapshotChunk', (parameters) =>
    pieces.push(chunk.parse(parameters).chunk),
  );
  await client.send('HeapProfiler.takeHeapSnapshot');
  leave();
  return pieces.join('');
}

/**
 * The heap after all of the work may be this much of one after a third: what is kept as the work continues would make
 * it three times as much.
 */
const usedMust = 1.2;
/** One object of a class that stays for so many pieces of work is a leak; less is what an engine and its caches do. */
const worksAnObject = 10;
/** So many come and go by themselves. */
const objectsAside = 200;

/**
 * What the heap of a thread is held to between the first third of some work and all of it. `between`: pieces of work
 * from the one to the other.
 */
export function heldFlat(what: string, { first, last, between }: { first: Heap; last: Heap; between: number }): Held[] {
  const growing = growingClasses(first.classes, last.classes, Math.max(objectsAside, between / worksAnObject));
  const named = growing
    .slice(0, 5)
    .map(({ name, more }) => `${name} +${more}`)
    .join(', ');
  return [
    {
      what:
        `${what} after garbage collection, complete run to a third ` +
        `(${last.usedMiB.toFixed(1)} MiB to ${first.usedMiB.toFixed(1)})`,
      value: last.usedMiB / first.usedMiB,
      must: usedMust,
    },
    { what: `${what}, classes growing with the work${named && ` (${named})`}`, value: growing.length, must: 0 },
  ];
}

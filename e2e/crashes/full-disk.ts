import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Program, startProgram } from '../program.ts';
import { type Vitrine, startOf, openVitrine, startVitrine, until } from './vitrine.ts';
import type { PreparedChange } from './durable-change.ts';
import type { SmallDisk } from './small-disk.ts';

/** How much space is left: none, less than a transaction takes, and enough for some of what a change writes. */
export const spaceLeft: readonly number[] = [0, 24, 96].map((kibibytes) => kibibytes * 1024);

const answersWithinMs = 30_000;

/**
 * Makes a change on a disk that is as good as full. Throws what does not hold.
 *
 * @returns the program, whose disk has space again, and whether it had reported that it is done
 */
export async function madeOnFullDisk(
  disk: SmallDisk,
  freeBytes: number,
  change: PreparedChange,
): Promise<{ vitrine: Vitrine; wasReported: boolean }> {
  return change.beforeStart === undefined
    ? madeByVitrine(disk, freeBytes, change)
    : startedOnFullDisk(disk, freeBytes, change);
}

async function madeByVitrine(
  disk: SmallDisk,
  freeBytes: number,
  { ready, make }: PreparedChange,
): Promise<{ vitrine: Vitrine; wasReported: boolean }> {
  const vitrine = await startVitrine(disk.folder);
  try {
    await ready?.(vitrine);
    await until(async () => ((await vitrine.call('host.describe', {})).lab.state === 'running' ? true : null));
    await disk.fill(freeBytes);
    const wasReported = await Promise.race([
      make(vitrine).then(
        () => true,
        async (error: unknown) => falseIfReported(vitrine, error),
      ),
      pause(answersWithinMs, null),
    ]);
    assert.ok(wasReported !== null, 'Vitrine reported nothing within half a minute');
    assert.ok(!wasReported || freeBytes > 0, 'there was no space, and Vitrine reported that it is done');
    await vitrine.call('host.describe', {});
    await disk.empty();
    return { vitrine, wasReported };
  } catch (error) {
    await vitrine.program.stop('SIGKILL');
    throw error;
  }
}

/** A start may be refused, in a sentence. */
async function startedOnFullDisk(
  disk: SmallDisk,
  freeBytes: number,
  { beforeStart, order }: PreparedChange,
): Promise<{ vitrine: Vitrine; wasReported: boolean }> {
  await beforeStart?.(disk.folder);
  await disk.fill(freeBytes);
  const { entry, args, environment } = startOf(disk.folder, order);
  const program = startProgram(entry, args, environment);
  const wasRefused = await Promise.race([
    program.printed(/Ctrl-C to stop/).then(
      () => false,
      () => true,
    ),
    program.exited.then(() => true),
  ]);
  if (wasRefused) await assertRefused(program);
  await disk.empty();
  return {
    vitrine: wasRefused ? await startVitrine(disk.folder, order) : await openVitrine(disk.folder, program),
    wasReported: false,
  };
}

async function assertRefused(program: Program): Promise<void> {
  assert.equal(await program.exited, 1, program.output());
  assert.match(program.output(), /disk is full/i);
}

/** The reply, or the outcome of the work, must name the disk to the person; a defect will not do. */
async function falseIfReported(vitrine: Vitrine, error: unknown): Promise<false> {
  const reported = [error instanceof Error ? error.message : String(error), ...(await failuresShown(vitrine))].join(
    '\n',
  );
  assert.doesNotMatch(reported, /"kind":"unexpected"|ERR_|fetch failed/, reported);
  assert.match(reported, /"kind":"disk-full"/, reported);
  return false;
}

/** What the person sees of work that failed or halted: of jobs, of their items and of downloads. */
async function failuresShown({ call }: Vitrine): Promise<string[]> {
  const [{ jobs }, { downloads }] = await Promise.all([call('jobs.list', {}), call('downloads.list', {})]);
  const ofItems = jobs.map(async ({ id }) =>
    call('jobs.items', {
      id,
      filter: { states: ['failed'], find: '' },
      sort: { column: 'position', descending: false },
      offset: 0,
      limit: 1000,
    }),
  );
  const items = (await Promise.all(ofItems)).flatMap((window) => window.items);
  return [...jobs, ...items, ...downloads].flatMap(({ failure }) =>
    failure === null ? [] : [JSON.stringify(failure)],
  );
}

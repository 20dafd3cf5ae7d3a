import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Program, startProgram } from '../program.ts';
import { type Desk, deskStart, openDesk, startDesk, until } from './desk.ts';
import type { PreparedChange } from './durable-change.ts';
import type { SmallDisk } from './small-disk.ts';

/** How much room is left: none, less than a transaction takes, and for some of what a change writes. */
export const roomsLeft: readonly number[] = [0, 24, 96].map((kibibytes) => kibibytes * 1024);

const answersWithinMs = 30_000;

/**
 * Has a change made on a disk that is as good as full. @returns the desk, whose disk has room again, and whether it had
 * told that it is done. Throws what does not hold.
 */
export async function madeOnFullDisk(
  disk: SmallDisk,
  freeBytes: number,
  change: PreparedChange,
): Promise<{ desk: Desk; wasTold: boolean }> {
  return change.beforeStart === undefined
    ? madeAtDesk(disk, freeBytes, change)
    : startedOnFullDisk(disk, freeBytes, change);
}

async function madeAtDesk(
  disk: SmallDisk,
  freeBytes: number,
  { ready, make }: PreparedChange,
): Promise<{ desk: Desk; wasTold: boolean }> {
  const desk = await startDesk(disk.folder);
  try {
    await ready?.(desk);
    await until(async () => ((await desk.call('host.describe', {})).lab.state === 'running' ? true : null));
    await disk.fill(freeBytes);
    const wasTold = await Promise.race([
      make(desk).then(
        () => true,
        async (error: unknown) => falseIfTold(desk, error),
      ),
      pause(answersWithinMs, null),
    ]);
    assert.ok(wasTold !== null, 'the program told nothing within half a minute');
    assert.ok(!wasTold || freeBytes > 0, 'there was no room, and the program told that it is done');
    await desk.call('host.describe', {});
    await disk.empty();
    return { desk, wasTold };
  } catch (error) {
    await desk.program.stop('SIGKILL');
    throw error;
  }
}

/** A start may be refused, in a sentence. */
async function startedOnFullDisk(
  disk: SmallDisk,
  freeBytes: number,
  { beforeStart, order }: PreparedChange,
): Promise<{ desk: Desk; wasTold: boolean }> {
  await beforeStart?.(disk.folder);
  await disk.fill(freeBytes);
  const { entry, args, environment } = deskStart(disk.folder, order);
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
    desk: wasRefused ? await startDesk(disk.folder, order) : await openDesk(disk.folder, program),
    wasTold: false,
  };
}

async function assertRefused(program: Program): Promise<void> {
  assert.equal(await program.exited, 1, program.output());
  assert.match(program.output(), /disk is full/i);
}

/** The reply, or what became of the work, must tell the person that it is the disk; a defect will not do. */
async function falseIfTold(desk: Desk, error: unknown): Promise<false> {
  const told = [error instanceof Error ? error.message : String(error), ...(await failuresShown(desk))].join('\n');
  assert.doesNotMatch(told, /"kind":"unexpected"|ERR_|fetch failed/, told);
  assert.match(told, /"kind":"disk-full"/, told);
  return false;
}

/** What the person sees of work that failed or halted: of jobs, of their items and of downloads. */
async function failuresShown({ call }: Desk): Promise<string[]> {
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

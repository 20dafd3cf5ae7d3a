import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { startProgram } from '../../program.ts';
import { backupsOf, type Desk, downloaded, endedJob, finishedJob, latestJob } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

/** All that a desk keeps, in another folder. */
export const backup: DurableChange = {
  name: 'backup',
  prepare: async (desk) => {
    await downloaded(desk, labWorkspaceId, eicarMd5);
    return { make, look, live: [eicarString] };
  },
};

async function make(desk: Desk): Promise<void> {
  const { job } = await desk.call('storage.backUp', {});
  assert.equal((await endedJob(desk, job?.id ?? 0)).state, 'done');
}

async function look(desk: Desk, wasTold: boolean): Promise<void> {
  if (wasTold) await assertSoundBackup(desk);
  const job = await latestJob(desk, 'backup');
  const ended = job === null ? null : await finishedJob(desk, job.id);
  if (ended?.state !== 'done') await make(desk);
  await assertSoundBackup(desk);
}

async function assertSoundBackup({ folder }: Desk): Promise<void> {
  const verifying = startProgram('electron/cli.ts', ['backup', backupsOf(folder), '--verify']);
  assert.equal(await verifying.exited, 0, `${verifying.output()} ${(await readdir(backupsOf(folder))).join(' ')}`);
}

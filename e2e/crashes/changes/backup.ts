import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { startProgram } from '../../program.ts';
import { backupsOf, type Vitrine, downloaded, endedJob, finishedJob, latestJob } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** All local data, in another folder. */
export const backup: DurableChange = {
  name: 'backup',
  prepare: async (vitrine) => {
    await downloaded(vitrine, labWorkspaceId, eicarMd5);
    return { make, look, live: [eicarString] };
  },
};

async function make(vitrine: Vitrine): Promise<void> {
  const { job } = await vitrine.call('storage.backUp', {});
  assert.equal((await endedJob(vitrine, job?.id ?? 0)).state, 'done');
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  if (wasReported) await assertSoundBackup(vitrine);
  const job = await latestJob(vitrine, 'backup');
  const ended = job === null ? null : await finishedJob(vitrine, job.id);
  if (ended?.state !== 'done') await make(vitrine);
  await assertSoundBackup(vitrine);
}

async function assertSoundBackup({ folder }: Vitrine): Promise<void> {
  const verifying = startProgram('electron/cli.ts', ['backup', backupsOf(folder), '--verify']);
  assert.equal(await verifying.exited, 0, `${verifying.output()} ${(await readdir(backupsOf(folder))).join(' ')}`);
}

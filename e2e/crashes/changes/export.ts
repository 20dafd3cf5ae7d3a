import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { startTeam } from '../../team.ts';
import { filesIn, openZip } from '../zip-members.ts';
import { type Vitrine, downloaded, endedJob, exportsOf, finishedJob, latestJob } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam } from '../team-workspace.ts';

const password = 'infected';
/**
 * Some 170 KiB of them do not shrink: a disk that has space for the job and none for its ZIP is one of the full ones.
 */
const others = 12;

/** Samples in a ZIP with a password, in the export folder. */
export const exportZip: DurableChange = {
  name: 'export',
  prepare: async (vitrine, servers) => {
    await downloaded(vitrine, labWorkspaceId, eicarMd5);
    const sha256s = [eicarSha256, ...(await downloadedOthers(vitrine, servers))];
    return {
      make: (killed) => make(killed, sha256s),
      look: (started, wasReported) => look(started, wasReported, sha256s),
      live: [eicarString],
    };
  },
};

/** @returns their SHA-256s */
async function downloadedOthers(vitrine: Vitrine, servers: string): Promise<string[]> {
  const team = await startTeam(servers, { samples: others });
  try {
    const { id: workspaceId } = await addTeam(vitrine, team.baseUrl, team.token);
    const downloads = await Promise.all(team.samples.map(async (md5) => downloaded(vitrine, workspaceId, md5)));
    return downloads.map(({ sha256 }) => sha256 ?? '');
  } finally {
    await team.stop();
  }
}

async function make(vitrine: Vitrine, sha256s: readonly string[]): Promise<void> {
  const { id } = await vitrine.call('exports.start', {
    selection: { kind: 'samples', sha256s: [...sha256s] },
    as: { form: 'one-zip', encryption: 'aes-256', password },
  });
  const { counts } = await endedJob(vitrine, id);
  assert.equal(counts.done, sha256s.length);
}

async function look(vitrine: Vitrine, wasReported: boolean, sha256s: readonly string[]): Promise<void> {
  const there = await zips(vitrine);
  assert.ok(there.length === 1 || !wasReported, 'Vitrine had reported that the export is written, and it is not there');
  const job = await latestJob(vitrine, 'export');
  const counts = job === null ? null : (await finishedJob(vitrine, job.id)).counts;
  if (wasReported) assert.equal(counts?.done, sha256s.length);
  // Its password is stored nowhere: an interrupted export is made again.
  if (counts?.done !== sha256s.length) await make(vitrine, sha256s);
  assert.deepEqual(
    await filesIn(exportsOf(vitrine.folder)),
    await zips(vitrine),
    'the export folder keeps what is no export',
  );
  for (const zip of await zips(vitrine))
    assert.ok(
      (await openZip(zip, password)).some((bytes) => bytes.toString('latin1') === eicarString),
      `${zip} does not hold the sample`,
    );
}

const zips = async ({ folder }: Vitrine): Promise<string[]> =>
  (await readdir(exportsOf(folder), { recursive: true }))
    .filter((name) => name.endsWith('.zip'))
    .map((name) => join(exportsOf(folder), name))
    .toSorted();

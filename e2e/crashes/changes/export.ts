import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { startTeam } from '../../team.ts';
import { filesIn, openZip } from '../zip-members.ts';
import { type Desk, downloaded, endedJob, exportsOf, finishedJob, latestJob } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam } from '../team-workspace.ts';

const password = 'infected';
/**
 * Some 170 KiB of them do not shrink: a disk that has room for the job and none for its ZIP is one of the full ones.
 */
const others = 12;

/** Samples in a ZIP with a password, in the export folder. */
export const exportZip: DurableChange = {
  name: 'export',
  prepare: async (desk, servers) => {
    await downloaded(desk, labWorkspaceId, eicarMd5);
    const sha256s = [eicarSha256, ...(await downloadedOthers(desk, servers))];
    return {
      make: (killed) => make(killed, sha256s),
      look: (started, wasTold) => look(started, wasTold, sha256s),
      live: [eicarString],
    };
  },
};

/** @returns their SHA-256s */
async function downloadedOthers(desk: Desk, servers: string): Promise<string[]> {
  const team = await startTeam(servers, { samples: others });
  try {
    const { id: workspaceId } = await addTeam(desk, team.baseUrl, team.token);
    const downloads = await Promise.all(team.samples.map(async (md5) => downloaded(desk, workspaceId, md5)));
    return downloads.map(({ sha256 }) => sha256 ?? '');
  } finally {
    await team.stop();
  }
}

async function make(desk: Desk, sha256s: readonly string[]): Promise<void> {
  const { id } = await desk.call('exports.start', {
    selection: { kind: 'samples', sha256s: [...sha256s] },
    as: { form: 'one-zip', encryption: 'aes-256', password },
  });
  const { counts } = await endedJob(desk, id);
  assert.equal(counts.done, sha256s.length);
}

async function look(desk: Desk, wasTold: boolean, sha256s: readonly string[]): Promise<void> {
  const there = await zips(desk);
  assert.ok(there.length === 1 || !wasTold, 'the program had told that the export is written, and it is not there');
  const job = await latestJob(desk, 'export');
  const counts = job === null ? null : (await finishedJob(desk, job.id)).counts;
  if (wasTold) assert.equal(counts?.done, sha256s.length);
  // Its password is stored nowhere: what was interrupted is exported anew.
  if (counts?.done !== sha256s.length) await make(desk, sha256s);
  assert.deepEqual(
    await filesIn(exportsOf(desk.folder)),
    await zips(desk),
    'the export folder keeps what is no export',
  );
  for (const zip of await zips(desk))
    assert.ok(
      (await openZip(zip, password)).some((bytes) => bytes.toString('latin1') === eicarString),
      `${zip} does not hold the sample`,
    );
}

const zips = async ({ folder }: Desk): Promise<string[]> =>
  (await readdir(exportsOf(folder), { recursive: true }))
    .filter((name) => name.endsWith('.zip'))
    .map((name) => join(exportsOf(folder), name))
    .toSorted();

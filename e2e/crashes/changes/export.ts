import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { filesIn, openZip } from '../zip-members.ts';
import { type Desk, downloaded, endedJob, exportsOf, finishedJob, latestJob } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

const password = 'infected';

/** Samples in a ZIP with a password, in the export folder. */
export const exportZip: DurableChange = {
  name: 'export',
  prepare: async (desk) => {
    await downloaded(desk, labWorkspaceId, eicarMd5);
    return { make, look, live: [eicarString] };
  },
};

async function make(desk: Desk): Promise<void> {
  const { id } = await desk.call('exports.start', { selection: { kind: 'samples', sha256s: [eicarSha256] }, as: { form: 'one-zip', encryption: 'aes-256', password } });
  const { counts } = await endedJob(desk, id);
  assert.equal(counts.done, 1);
}

async function look(desk: Desk, wasTold: boolean): Promise<void> {
  const there = await zips(desk);
  assert.ok(there.length === 1 || !wasTold, 'the program had told that the export is written, and it is not there');
  const job = await latestJob(desk, 'export');
  const counts = job === null ? null : (await finishedJob(desk, job.id)).counts;
  if (wasTold) assert.equal(counts?.done, 1);
  // Its password is stored nowhere: what was interrupted is exported anew.
  if (counts?.done !== 1) await make(desk);
  assert.deepEqual(await filesIn(exportsOf(desk.folder)), await zips(desk), 'the export folder keeps what is no export');
  for (const zip of await zips(desk)) assert.ok((await openZip(zip, password)).some((bytes) => bytes.toString('latin1') === eicarString), `${zip} does not hold the sample`);
}

const zips = async ({ folder }: Desk): Promise<string[]> => (await readdir(exportsOf(folder), { recursive: true })).filter((name) => name.endsWith('.zip')).map((name) => join(exportsOf(folder), name)).toSorted();

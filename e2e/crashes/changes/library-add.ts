import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zipOf } from '../../faults/zip-items.ts';
import { type Vitrine, endedJob, finishedJob, latestJob, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

const marker = 'a member that is added while the program dies';
const members = ['one.bin', 'two.bin'].map((name) => ({
  name,
  bytes: Buffer.from(`${marker}: ${name}\n`.repeat(200)),
}));
const sha256s = members.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));

/** The members of an archive that was given to the page. */
export const libraryAdd: DurableChange = {
  name: 'library add',
  prepare: async (vitrine) => {
    await labRunning(vitrine);
    const archive = await zipOf(members);
    const drafts = new Map<string, number>();
    return {
      ready: async (killed) => void drafts.set(killed.folder, await drafted(killed, archive)),
      make: async (killed) => begun(killed, drafts.get(killed.folder) ?? 0),
      look: async (started, wasReported) => {
        const job = await latestJob(started, 'library-add');
        assert.ok(job !== null || !wasReported, 'Vitrine had reported that the files are added, and there is no job');
        if (job === null) await begunAfterwards(started, drafts.get(started.folder) ?? 0, archive);
        else await finishedJob(started, job.id);
        await look(started);
      },
      live: [marker],
    };
  },
};

/** What the lab begins with is written by then. */
const labRunning = async ({ call }: Vitrine): Promise<true> =>
  until(async () => ((await call('host.describe', {})).lab.state === 'running' ? true : null));

async function drafted(vitrine: Vitrine, archive: Buffer): Promise<number> {
  const { id } = await vitrine.stage('mail.zip', archive);
  const { job } = await vitrine.call('library.draftAdd', { opensArchives: true });
  await vitrine.call('library.addFiles', { job, files: [{ id, path: '' }] });
  return job;
}

async function begun(vitrine: Vitrine, job: number): Promise<void> {
  await vitrine.call('library.beginAdd', { job, passwords: [] });
  assert.equal((await endedJob(vitrine, job)).counts.done, 1);
}

/**
 * The dialog is still open where the program lives. A draft that was not begun is gone with the program: its files are
 * given again.
 */
async function begunAfterwards(vitrine: Vitrine, draft: number, archive: Buffer): Promise<void> {
  try {
    await begun(vitrine, draft);
  } catch (error) {
    assert.match(String(error), /"kind":"job-missing"/);
    await begun(vitrine, await drafted(vitrine, archive));
  }
}

async function look(vitrine: Vitrine): Promise<void> {
  const job = await latestJob(vitrine, 'library-add');
  assert.equal(job?.counts.done, 1);
  const { files } = await vitrine.call('library.added', { job: job.id, offset: 0, limit: 10 });
  const outcomes = files.map(({ name, state }) => `${name}: ${state}`);
  assert.deepEqual(outcomes, ['mail.zip: opened', 'one.bin: stored', 'two.bin: stored']);
  for (const [index, hash] of sha256s.entries()) {
    const { row, names } = await vitrine.call('library.sample', { hash });
    assert.equal(row.vault, 'held');
    const places = names.map(({ name, path }) => `${path} ${name}`);
    assert.deepEqual(places, [`mail.zip! ${members[index]?.name}`]);
    const { rows } = await vitrine.call('samples.history', { hash });
    assert.equal(rows.filter(({ operation }) => operation === 'add').length, 1, 'the journal has a member once');
  }
}

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { startTeam, type Team } from '../../team.ts';
import { type Vitrine, endedJob, finishedJob, latestJob, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam, unlock } from '../team-workspace.ts';

const marker = 'a file that is uploaded while Vitrine is killed';

interface Sent {
  team: Team;
  workspaceId: string;
  /** The file of each run, by the folder of its program. */
  files: Map<string, string>;
}

/** A file of the draft that is sent. */
export const upload: DurableChange = {
  name: 'upload item',
  prepare: async (vitrine, servers) => {
    const team = await startTeam(servers, { rights: 'read,upload' });
    const { id: workspaceId } = await addTeam(vitrine, team.uploads.baseUrl, team.token);
    const sent: Sent = { team, workspaceId, files: new Map() };
    return {
      ready: (killed) => drafted(killed, sent),
      make: (killed) => send(killed, sent),
      look: (started, wasReported) => look(started, wasReported, sent),
      live: [marker],
      close: team.stop,
    };
  },
};

async function drafted(vitrine: Vitrine, { workspaceId, files }: Sent): Promise<void> {
  await unlock(vitrine);
  const bytes = Buffer.from(`${marker}\n`.repeat(3000) + randomUUID());
  files.set(vitrine.folder, createHash('md5').update(bytes).digest('hex'));
  const { id } = await vitrine.stage('crash.bin', bytes);
  await vitrine.call('uploads.add', { workspaceId, files: [{ id, path: 'crash.bin' }] });
  await sendable(vitrine, workspaceId);
}

const sendable = async ({ call }: Vitrine, workspaceId: string): Promise<true> =>
  until(async () => {
    const { toSend, busy, unasked } = await call('uploads.draft', { workspaceId });
    return toSend.files === 1 && busy === 0 && unasked === 0 ? true : null;
  });

async function send(vitrine: Vitrine, { workspaceId }: Sent): Promise<void> {
  const { id } = await vitrine.call('uploads.send', { workspaceId });
  const { counts } = await endedJob(vitrine, id);
  assert.equal(counts.done, 1);
}

async function look(vitrine: Vitrine, wasReported: boolean, sent: Sent): Promise<void> {
  const md5 = sent.files.get(vitrine.folder) ?? '';
  await unlock(vitrine);
  const job = await latestJob(vitrine, 'upload');
  if (wasReported) assert.equal(job?.counts.done, 1);
  if (job === null) {
    await sendable(vitrine, sent.workspaceId);
    await send(vitrine, sent);
  } else await goOn(vitrine, job.id);
  const times = sent.team.uploads
    .requestsOf('uploadfiles')
    .filter(({ form }) => form?.parts.some((part) => part.md5 === md5)).length;
  assert.equal(times, 1, `the repository was sent the file ${times} times`);
}

/** Only a person sends again what may have arrived, and sees whether it is there. */
async function goOn(vitrine: Vitrine, id: number): Promise<void> {
  const { counts } = await finishedJob(vitrine, id);
  if ((counts.failed ?? 0) > 0) await vitrine.call('jobs.retry', { id, states: ['failed'] });
  const ended = await endedJob(vitrine, id);
  assert.equal((ended.counts.done ?? 0) + (ended.counts['already-here'] ?? 0), 1, JSON.stringify(ended.counts));
}

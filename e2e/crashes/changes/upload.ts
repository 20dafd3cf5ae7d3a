import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { startTeam, type Team } from '../../team.ts';
import { type Desk, endedJob, finishedJob, latestJob, until } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam, unlock } from '../team-workspace.ts';

const marker = 'a file that is uploaded while the desk dies';

interface Sent {
  team: Team;
  workspaceId: string;
  /** The file of each run, by the folder of its desk. */
  files: Map<string, string>;
}

/** A file of the draft that is sent. */
export const upload: DurableChange = {
  name: 'upload item',
  prepare: async (desk, servers) => {
    const team = await startTeam(servers, { rights: 'read,upload' });
    const { id: workspaceId } = await addTeam(desk, team.uploads.baseUrl, team.token);
    const sent: Sent = { team, workspaceId, files: new Map() };
    return {
      ready: (killed) => drafted(killed, sent),
      make: (killed) => send(killed, sent),
      look: (started, wasTold) => look(started, wasTold, sent),
      live: [marker],
      close: team.stop,
    };
  },
};

async function drafted(desk: Desk, { workspaceId, files }: Sent): Promise<void> {
  await unlock(desk);
  const bytes = Buffer.from(`${marker}\n`.repeat(3000) + randomUUID());
  files.set(desk.folder, createHash('md5').update(bytes).digest('hex'));
  const { id } = await desk.stage('crash.bin', bytes);
  await desk.call('uploads.add', { workspaceId, files: [{ id, path: 'crash.bin' }] });
  await sendable(desk, workspaceId);
}

const sendable = async ({ call }: Desk, workspaceId: string): Promise<true> =>
  until(async () => {
    const { toSend, busy, unasked } = await call('uploads.draft', { workspaceId });
    return toSend.files === 1 && busy === 0 && unasked === 0 ? true : null;
  });

async function send(desk: Desk, { workspaceId }: Sent): Promise<void> {
  const { id } = await desk.call('uploads.send', { workspaceId });
  const { counts } = await endedJob(desk, id);
  assert.equal(counts.done, 1);
}

async function look(desk: Desk, wasTold: boolean, sent: Sent): Promise<void> {
  const md5 = sent.files.get(desk.folder) ?? '';
  await unlock(desk);
  const job = await latestJob(desk, 'upload');
  if (wasTold) assert.equal(job?.counts.done, 1);
  if (job === null) {
    await sendable(desk, sent.workspaceId);
    await send(desk, sent);
  } else await goOn(desk, job.id);
  const times = sent.team.uploads
    .requestsOf('uploadfiles')
    .filter(({ form }) => form?.parts.some((part) => part.md5 === md5)).length;
  assert.equal(times, 1, `the repository was sent the file ${times} times`);
}

/** What may have arrived is sent again by a person alone, who is told whether it is there. */
async function goOn(desk: Desk, id: number): Promise<void> {
  const { counts } = await finishedJob(desk, id);
  if ((counts.failed ?? 0) > 0) await desk.call('jobs.retry', { id, states: ['failed'] });
  const ended = await endedJob(desk, id);
  assert.equal((ended.counts.done ?? 0) + (ended.counts['already-here'] ?? 0), 1, JSON.stringify(ended.counts));
}

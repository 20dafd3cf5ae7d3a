import assert from 'node:assert/strict';
import { generatedSamples } from '../../generated-samples.ts';
import { startTeam, type Team } from '../../team.ts';
import { type Vitrine, endedJob, finishedJob, latestJob } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { addTeam, unlock } from '../team-workspace.ts';

const samples = 12;

/** A bulk download of small samples, which lie in packs. */
export const bulk: DurableChange = {
  name: 'bulk item',
  prepare: async (vitrine, servers) => {
    const team = await startTeam(servers, { samples });
    const { id: workspaceId } = await addTeam(vitrine, team.baseUrl, team.token);
    const live = generatedSamples(samples, 'sample')
      .slice(8)
      .map(({ bytes }) => bytes.toString('latin1').slice(0, 200));
    return {
      ready: unlock,
      make: (killed) => make(killed, workspaceId, team.samples),
      look: (started, wasReported) => look(started, wasReported, team, workspaceId),
      live,
      isAlone: true,
      close: team.stop,
    };
  },
};

async function make(vitrine: Vitrine, workspaceId: string, hashes: readonly string[]): Promise<void> {
  const { id } = await vitrine.call('bulk.create', { workspaceId });
  await vitrine.call('bulk.add', { id, hashes: [...hashes] });
  await vitrine.call('bulk.start', { id });
  const { counts } = await endedJob(vitrine, id);
  assert.equal(counts.done, samples);
}

async function look(vitrine: Vitrine, wasReported: boolean, team: Team, workspaceId: string): Promise<void> {
  const job = await latestJob(vitrine, 'bulk-download');
  if (wasReported) assert.equal(job?.counts.done, samples);
  const committed = job === null ? [] : await hashesDone(vitrine, job.id);
  const from = team.faults.requests.length;
  await unlock(vitrine);
  if (job === null) return make(vitrine, workspaceId, team.samples);
  const { counts } = await finishedJob(vitrine, job.id);
  assert.equal((counts.done ?? 0) + (counts['already-here'] ?? 0), samples, JSON.stringify(counts));
  const asked = new Set(
    team.faults.requests
      .slice(from)
      .filter(({ action }) => action !== 'getfile')
      .flatMap(({ hashes }) => hashes),
  );
  assert.deepEqual(
    committed.filter((hash) => asked.has(hash)),
    [],
    'what was committed was asked for again',
  );
}

async function hashesDone({ call }: Vitrine, id: number): Promise<string[]> {
  const { items } = await call('jobs.items', {
    id,
    filter: { states: ['done'], find: '' },
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1000,
  });
  return items.map(({ hash }) => hash);
}

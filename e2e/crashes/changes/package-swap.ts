import assert from 'node:assert/strict';
import { defaultRuleOptions, type PublicationsState, sortByPlace } from '../../../shared/domain/publication.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { type Vitrine, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** The package that came with a check, into the place of the active one. */
export const packageSwap: DurableChange = {
  name: 'package swap',
  prepare: async (vitrine) => {
    const { active: older, candidate: newer } = await withCandidate(vitrine);
    return {
      make: (killed) => swap(killed, newer),
      look: (started, wasReported) => look(started, wasReported, { older, newer }),
      live: [],
    };
  },
};

/** The first check: it fetches a package, and compiles it. */
export const packageCheck: DurableChange = {
  name: 'package check',
  prepare: async ({ call }) => {
    await call('lab.publications', {});
    return { make: async (killed) => void (await found(killed)), look: lookAtFound, live: [] };
  },
};

const state = async ({ call }: Vitrine): Promise<PublicationsState> => call('publications.state', { workspaceId });
const rules = async ({ call }: Vitrine): Promise<number> =>
  (await call('publications.rules', { workspaceId, find: '', sort: sortByPlace, columns: [], offset: 0, limit: 1 }))
    .total;

/** Checks, and waits for what it finds. */
async function found(vitrine: Vitrine): Promise<string> {
  await vitrine.call('publications.check', { workspaceId });
  const { candidate, lastCheck } = await until(async () => {
    const now = await state(vitrine);
    return now.check === null ? now : null;
  });
  assert.ok(candidate !== null, JSON.stringify(lastCheck));
  return candidate;
}

async function lookAtFound(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const { active, candidate } = await state(vitrine);
  assert.equal(active, null);
  if (wasReported) assert.ok(candidate !== null, 'Vitrine had reported that there is a package, and it is not there');
  await swap(vitrine, candidate ?? (await found(vitrine)));
  assert.ok((await rules(vitrine)) > 0);
}

/** The lab's Release in use, and its Test found. */
async function withCandidate(vitrine: Vitrine): Promise<{ active: string; candidate: string }> {
  const active = await found(vitrine);
  await swap(vitrine, active);
  await vitrine.call('publications.setOptions', {
    workspaceId,
    options: { ...defaultRuleOptions, includeTest: true },
    password: { kind: 'keep' },
  });
  return { active, candidate: await found(vitrine) };
}

async function swap({ call }: Vitrine, sha256: string): Promise<void> {
  await call('publications.activate', { workspaceId, sha256, removesMany: true });
}

async function look(
  vitrine: Vitrine,
  wasReported: boolean,
  { older, newer }: { older: string; newer: string },
): Promise<void> {
  const { active, candidate } = await state(vitrine);
  assert.ok(
    active === newer || (!wasReported && active === older),
    'the active package is neither the older nor the newer one',
  );
  assert.equal(candidate, active === newer ? null : newer);
  assert.ok((await rules(vitrine)) > 0);
  for (const sha256 of [newer, older]) {
    await swap(vitrine, sha256);
    assert.ok((await rules(vitrine)) > 0);
  }
}

import assert from 'node:assert/strict';
import { defaultRuleOptions, type PublicationsState, sortByPlace } from '../../../shared/domain/publication.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { type Desk, until } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

/** The package that came with a check, into the place of the active one. */
export const packageSwap: DurableChange = {
  name: 'package swap',
  prepare: async (desk) => {
    const { active: older, candidate: newer } = await withCandidate(desk);
    return {
      make: (killed) => swap(killed, newer),
      look: (started, wasTold) => look(started, wasTold, { older, newer }),
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

const state = async ({ call }: Desk): Promise<PublicationsState> => call('publications.state', { workspaceId });
const rules = async ({ call }: Desk): Promise<number> =>
  (await call('publications.rules', { workspaceId, find: '', sort: sortByPlace, columns: [], offset: 0, limit: 1 }))
    .total;

/** Checks, and waits for what it finds. */
async function found(desk: Desk): Promise<string> {
  await desk.call('publications.check', { workspaceId });
  const { candidate, lastCheck } = await until(async () => {
    const now = await state(desk);
    return now.check === null ? now : null;
  });
  assert.ok(candidate !== null, JSON.stringify(lastCheck));
  return candidate;
}

async function lookAtFound(desk: Desk, wasTold: boolean): Promise<void> {
  const { active, candidate } = await state(desk);
  assert.equal(active, null);
  if (wasTold) assert.ok(candidate !== null, 'the program had told that there is a package, and it is not there');
  await swap(desk, candidate ?? (await found(desk)));
  assert.ok((await rules(desk)) > 0);
}

/** The lab's Release in use, and its Test found. */
async function withCandidate(desk: Desk): Promise<{ active: string; candidate: string }> {
  const active = await found(desk);
  await swap(desk, active);
  await desk.call('publications.setOptions', {
    workspaceId,
    options: { ...defaultRuleOptions, includeTest: true },
    password: { kind: 'keep' },
  });
  return { active, candidate: await found(desk) };
}

async function swap({ call }: Desk, sha256: string): Promise<void> {
  await call('publications.activate', { workspaceId, sha256, removesMany: true });
}

async function look(desk: Desk, wasTold: boolean, { older, newer }: { older: string; newer: string }): Promise<void> {
  const { active, candidate } = await state(desk);
  assert.ok(
    active === newer || (!wasTold && active === older),
    'the active package is neither the older nor the newer one',
  );
  assert.equal(candidate, active === newer ? null : newer);
  assert.ok((await rules(desk)) > 0);
  for (const sha256 of [newer, older]) {
    await swap(desk, sha256);
    assert.ok((await rules(desk)) > 0);
  }
}

import assert from 'node:assert/strict';
import type { Vitrine } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { passphrase, teamDraft, unlock } from '../team-workspace.ts';

const [older, newer] = ['a-token-that-was-there-before', 'a-token-that-comes-new'];
const nowhere = 'http://127.0.0.1:9/repository';

/** Another token in a sealed file, with the workspace that it is of. */
export const token: DurableChange = {
  name: 'token',
  prepare: async ({ call }) => {
    await call('secrets.create', { passphrase });
    await call('workspaces.add', teamDraft('Older', nowhere, older));
    return { ready: unlock, make, look, live: [older, newer] };
  },
};

async function make({ call }: Vitrine): Promise<void> {
  await call('workspaces.add', teamDraft('Newer', nowhere, newer));
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  await unlock(vitrine);
  const { workspaces } = await vitrine.call('workspaces.list', {});
  const tokens = Object.fromEntries(
    workspaces.filter(({ builtIn }) => !builtIn).map(({ name, repository }) => [name, repository?.hasToken]),
  );
  const whole = { Older: true, Newer: true };
  assert.deepEqual(tokens, wasReported || 'Newer' in tokens ? whole : { Older: true });
  if ('Newer' in tokens) return;
  await make(vitrine);
  assert.equal(
    (await vitrine.call('workspaces.list', {})).workspaces.find(({ name }) => name === 'Newer')?.repository?.hasToken,
    true,
  );
}

/** The first sealed file of a data directory. */
export const sealing: DurableChange = {
  name: 'sealed file',
  prepare: async () => ({ make: seal, look: lookAtSeal, live: [passphrase] }),
};

async function seal({ call }: Vitrine): Promise<void> {
  await call('secrets.create', { passphrase });
}

async function lookAtSeal(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const { secrets } = await vitrine.call('host.describe', {});
  if (wasReported) assert.equal(secrets.store, 'sealed-file');
  if (secrets.store === 'sealed-file') await unlock(vitrine);
  else await seal(vitrine);
  assert.deepEqual((await vitrine.call('host.describe', {})).secrets, {
    store: 'sealed-file',
    state: 'open',
    backend: null,
  });
}

import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { ids, openUpdates, PackageHost } from './package-host.fixture.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const estimate = {
  package: { sha256: null, version: '2026.11.10', rules: 409 },
  rules: 5,
  names: [],
  removed: [],
  against: { version: '2026.11.10', hunted: '2026-11-10T08:00:00.000Z' },
  samples: 8214,
  bytes: 1,
  engine: 'native',
  seconds: 372,
  total: { rules: 409, samples: 8214 },
  unseen: { rules: 5, samples: 8214, pairs: 41_070 },
  older: { rules: 0, samples: 0, pairs: 0 },
  isFirst: false,
} as const;
const vault: GivenAnswers = {
  'library.count': () => ({ samples: 9000, inVault: 8214, vaultBytes: 1 }),
  'hunts.estimate': () => ({ ...estimate, names: [], removed: [] }),
};
const box = (): Promise<HTMLInputElement> =>
  screen.findByRole<HTMLInputElement>('checkbox', { name: 'Hunt the vault afterwards' });
const update = async (user: Awaited<ReturnType<typeof openUpdates>>['user']): Promise<void> =>
  user.click(await screen.findByRole('button', { name: /^Update to/ }));

test('an update hunts the vault afterwards once that is ticked, reports it, and remembers the tick', async () => {
  const { user, bridge } = await openUpdates(new PackageHost(), vault);
  expect((await box()).checked).toBe(false);
  await user.click(await box());
  expect(
    await screen.findByText('8,214 of 8,214 samples not yet scanned with 5 rules. Takes about 6 min.'),
  ).toBeDefined();
  expect(bridge.inputsOf('hunts.start')).toEqual([]);
  await update(user);
  await waitFor(() =>
    expect(bridge.inputsOf('hunts.start')).toEqual([{ workspaceId: 'lab', scope: { kind: 'changed' } }]),
  );
  const order = bridge.asked.map(({ name }) => name);
  expect(order.indexOf('publications.activate')).toBeLessThan(order.indexOf('hunts.start'));
  expect(await screen.findByText('Hunting through 8,214 samples')).toBeDefined();
  cleanup();
  await openUpdates(new PackageHost(), vault);
  expect((await box()).checked).toBe(true);
});

test('no hunt follows an update without the tick, or when the update fails', async () => {
  const first = await openUpdates(new PackageHost(), vault);
  await box();
  await update(first.user);
  await screen.findByText('Updated to 2026.11.17');
  expect(first.bridge.inputsOf('hunts.start')).toEqual([]);
  cleanup();
  const second = await openUpdates(new PackageHost(), {
    ...vault,
    'publications.activate': () => fail({ kind: 'package-pinned', version: '2026.11.10' }),
  });
  await second.user.click(await box());
  await update(second.user);
  await screen.findByRole('alert');
  expect(second.bridge.inputsOf('hunts.start')).toEqual([]);
});

test('a hunt that fails to start is reported beside the package', async () => {
  const { user } = await openUpdates(new PackageHost(), { ...vault, 'hunts.start': () => fail({ kind: 'no-rules' }) });
  await user.click(await box());
  await update(user);
  expect(await screen.findByText('No rules to scan with')).toBeDefined();
});

test('no hunt is offered while the vault is empty', async () => {
  await openUpdates(new PackageHost(), { 'library.count': () => ({ samples: 0, inVault: 0, vaultBytes: 0 }) });
  await screen.findByText('405 rules unchanged');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('the hunt covers the samples not yet scanned with the rules of the package', async () => {
  const { bridge } = await openUpdates(new PackageHost(), {
    ...vault,
    'hunts.estimate': () => ({
      ...estimate,
      names: [],
      removed: [],
      rules: 38,
      unseen: { rules: 38, samples: 12, pairs: 456 },
    }),
  });
  await box();
  expect(
    await screen.findByText('12 of 8,214 samples not yet scanned with 38 rules. Takes about 6 min.'),
  ).toBeDefined();
  expect(bridge.inputsOf('hunts.estimate')).toEqual([
    { workspaceId: 'lab', scope: { kind: 'changed' }, package: ids.new },
  ]);
});

test('no hunt is offered when an update changes nothing that could hit', async () => {
  const { bridge } = await openUpdates(new PackageHost(), {
    ...vault,
    'hunts.estimate': () => ({ ...estimate, names: [], removed: [], rules: 0 }),
  });
  await waitFor(() => expect(bridge.inputsOf('hunts.estimate')).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
});

test('a requested hunt without anything to scan is no failure', async () => {
  const { user } = await openUpdates(new PackageHost(), {
    ...vault,
    'hunts.start': () => fail({ kind: 'nothing-to-hunt' }),
  });
  await user.click(await box());
  await update(user);
  expect(await screen.findByText('Nothing to hunt: all rules have scanned all samples')).toBeDefined();
});

test('a requested hunt follows even when the update is faster than its estimate', async () => {
  const { user, bridge } = await openUpdates(new PackageHost(), {
    ...vault,
    'hunts.estimate': () => new Promise(() => {}),
  });
  await user.click(await box());
  await update(user);
  await waitFor(() => expect(bridge.inputsOf('hunts.start')).toHaveLength(1));
});

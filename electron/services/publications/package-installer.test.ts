import { expect, test } from 'vitest';
import { defaultRuleOptions, type RuleOptions } from '../../../shared/domain/publication.ts';
import type { PackageRow } from '../../storage/packages/package-store.ts';
import { installsItself, whyNotActive } from './package-installer.ts';

const row = (change: Partial<PackageRow> = {}): PackageRow => ({
  sha256: 'a'.repeat(64),
  remoteId: '7',
  version: '1.4',
  group: 'Release',
  published: null,
  source: 'service',
  sizeBytes: 100,
  received: '2026-11-22T08:00:00.000Z',
  contents: { files: 2, rules: 10, broken: 0 },
  variables: [],
  isRelaxed: false,
  failure: null,
  warnings: [],
  activated: null,
  activeMs: 0,
  ...change,
});
const broken = { contents: { files: 2, rules: 9, broken: 1 } };
const rules = (policy: RuleOptions['policy'], pinned: PackageRow | null = null) => ({
  options: { ...defaultRuleOptions, policy },
  pinned,
  active: 'b'.repeat(64),
});
const other = row({ sha256: 'b'.repeat(64), version: '1.3' });

test('a package with a broken rule is installed by a click, unless the workspace refuses such packages', () => {
  expect(whyNotActive(row(broken), rules('one-click'))).toBeNull();
  expect(whyNotActive(row(broken), rules('install-whole'))).toBeNull();
  expect(whyNotActive(row(broken), rules('refuse-broken'))).toEqual({
    kind: 'package-has-broken',
    version: '1.4',
    broken: 1,
  });
  expect(whyNotActive(row(), rules('refuse-broken'))).toBeNull();
});

test('a rollback to a package active before is allowed, whatever the policy', () => {
  expect(whyNotActive(row({ ...broken, activated: '2026-11-01T00:00:00.000Z' }), rules('refuse-broken'))).toBeNull();
});

test('no other package replaces the active one while it is pinned', () => {
  expect(whyNotActive(row(), rules('one-click', other))).toEqual({ kind: 'package-pinned', version: '1.3' });
  expect(whyNotActive(other, rules('one-click', other))).toBeNull();
  // A pin on a package that is not in use keeps it, and holds nothing back.
  expect(whyNotActive(row(), { ...rules('one-click', row({ sha256: 'c'.repeat(64) })) })).toBeNull();
});

test('a package that cannot be opened is never active, and shows the reason', () => {
  const failure = { kind: 'archive-password', name: 'package' } as const;
  expect(whyNotActive(row({ contents: null, failure }), rules('one-click'))).toEqual(failure);
});

test.each([
  ['whole and new', row(), 'install-whole', true],
  ['another policy', row(), 'one-click', false],
  ['a broken rule', row(broken), 'install-whole', false],
  ['no rule at all', row({ contents: { files: 1, rules: 0, broken: 0 } }), 'install-whole', false],
  ['an older version', row({ warnings: ['backwards'] }), 'install-whole', false],
  ['other bytes under the same version', row({ warnings: ['same-version'] }), 'install-whole', false],
  ['a manifest that says otherwise', row({ warnings: ['manifest-contradicts'] }), 'install-whole', false],
  ['rolled back from before', row({ activated: '2026-11-01T00:00:00.000Z' }), 'install-whole', false],
] as const)('automatic installation of a package is decided: %s', (_, found, policy, expected) => {
  expect(installsItself(found, rules(policy))).toBe(expected);
});

test('a pin blocks automatic installation', () => {
  expect(installsItself(row(), rules('install-whole', other))).toBe(false);
});

import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OperationInput, OperationOutput } from '../../../../shared/contract.ts';
import { lineDifference } from '../../../../shared/domain/line-difference.ts';
import type {
  ChangedPart,
  DifferenceCounts,
  DifferenceRow,
  PublicationsState,
  RuleDifference,
} from '../../../../shared/domain/publication.ts';
import {
  partsByGravity,
  type ReviewFacets,
  type ReviewItem,
  type ReviewQuery,
} from '../../../../shared/domain/rule-review.ts';
import { useFreshPublications } from '../../../features/publications/publication-news.ts';
import { PublicationsPlaceProvider } from '../../../features/publications/publications-place.tsx';
import { type GivenAnswers, MemoryBridge } from '../../../test/memory-bridge.ts';
import { TestProviders } from '../../../test/test-providers.fixture.tsx';
import { packageOf, stateOf } from '../open-tab.fixture.tsx';
import { PublicationsView } from '../publications-view.tsx';

export const ids = { new: '1'.repeat(64), active: '2'.repeat(64), older: '3'.repeat(64), unopened: '4'.repeat(64) };

export const active = packageOf({ sha256: ids.active, contents: { files: 5, rules: 409, broken: 0 } });
export const candidate = packageOf({
  sha256: ids.new,
  version: '2026.11.17',
  received: '2026-11-17T14:30:00.000Z',
  contents: { files: 5, rules: 410, broken: 1 },
  activated: null,
  activeMs: 0,
});
const older = packageOf({
  sha256: ids.older,
  version: '2026.11.03',
  received: '2026-11-03T14:30:00.000Z',
  contents: { files: 5, rules: 401, broken: 0 },
  activated: '2026-11-03T15:00:00.000Z',
  activeMs: 7 * 86_400_000,
});

/** One waits, one is active, one is left from before. */
export const waiting: PublicationsState = stateOf({
  packages: [candidate, active, older],
  active: ids.active,
  candidate: ids.new,
  lastCheck: {
    at: '2026-11-17T14:30:00.000Z',
    outcome: 'found',
    version: '2026.11.17',
    failure: null,
    reply: null,
    missing: [],
  },
});

export function rowOf(change: Partial<DifferenceRow> & Pick<DifferenceRow, 'kind' | 'name'>): DifferenceRow {
  return {
    file: 'loader/ashveil.yar',
    line: 12,
    old: null,
    new: null,
    movedFrom: null,
    parts: [],
    addedLines: 0,
    removedLines: 0,
    broken: null,
    ...change,
  };
}

const someRows: readonly DifferenceRow[] = [
  rowOf({
    kind: 'broken',
    name: 'tinlark_mailer_v2',
    file: 'mail/tinlark.yar',
    line: 38,
    new: 3,
    broken: {
      rule: 'tinlark_mailer_v2',
      file: 'mail/tinlark.yar',
      line: 41,
      kind: 'engine',
      text: 'unknown identifier `$s4`',
    },
  }),
  rowOf({
    kind: 'changed',
    name: 'ashveil_config_xor',
    old: 0,
    new: 0,
    parts: ['strings', 'condition'],
    addedLines: 5,
    removedLines: 4,
  }),
  rowOf({
    kind: 'changed',
    name: 'quillpost_macro_chain',
    file: 'office/quillpost.yar',
    old: 1,
    new: 1,
    parts: ['meta'],
    addedLines: 1,
    removedLines: 1,
  }),
  rowOf({
    kind: 'changed',
    name: 'generic_high_entropy_pe',
    file: 'generic/pe.yar',
    old: 2,
    new: 2,
    parts: ['condition'],
    addedLines: 2,
    removedLines: 6,
  }),
  rowOf({ kind: 'added', name: 'ashveil_overlay_key', new: 4, addedLines: 18 }),
  rowOf({ kind: 'added', name: 'marrowfox_signed_agent', file: 'implant/marrowfox.yar', new: 5, addedLines: 24 }),
  rowOf({ kind: 'removed', name: 'brassmoth_beacon_old', file: 'implant/brassmoth.yar', old: 6, removedLines: 15 }),
];
const someCounts: DifferenceCounts = { added: 2, removed: 1, changed: 3, moved: 0, broken: 1, same: 405 };

const before = [
  'rule ashveil_config_xor : ashveil config',
  '{',
  '  meta:',
  '    revision = "3"',
  '  strings:',
  '    $key = { 80 34 08 5C }',
  '  condition:',
  '    $key',
  '}',
];
const after = [
  'rule ashveil_config_xor : ashveil config',
  '{',
  '  meta:',
  '    revision = "4"',
  '  strings:',
  '    $key = { 80 34 ?? ?? }',
  '  condition:',
  '    $key',
  '}',
];

const someDifference: RuleDifference = {
  old: { file: 'loader/ashveil.yar', line: 12, text: before.join('\n'), lines: before.length, isCut: false },
  new: { file: 'loader/ashveil.yar', line: 14, text: after.join('\n'), lines: after.length, isCut: false },
  lines: lineDifference({ first: 12, lines: before }, { first: 14, lines: after }),
};

/** A host with packages: what is activated or pinned is so from then on. */
export class PackageHost {
  state: PublicationsState;
  rows: readonly DifferenceRow[] = someRows;
  counts: DifferenceCounts = someCounts;

  constructor(state: PublicationsState = waiting) {
    this.state = state;
  }

  change(change: Partial<PublicationsState>): PublicationsState {
    this.state = { ...this.state, ...change };
    return this.state;
  }

  get answers(): GivenAnswers {
    return {
      'publications.state': () => this.state,
      'publications.activate': ({ sha256 }) =>
        this.change({ active: sha256, candidate: this.state.candidate === sha256 ? null : this.state.candidate }),
      'publications.pin': ({ sha256 }) => this.change({ pinned: sha256 }),
      'publications.remove': ({ sha256 }) =>
        this.change({ packages: this.state.packages.filter((each) => each.sha256 !== sha256) }),
      'publications.setOptions': ({ options, password }) =>
        this.change({
          options,
          hasPassword: password.kind === 'keep' ? this.state.hasPassword : password.kind === 'set',
        }),
      'publications.review': (asked) => this.#review(asked),
      'publications.ruleDifference': () => someDifference,
    };
  }

  #review({
    from,
    to,
    query,
    offset,
    limit,
  }: OperationInput<'publications.review'>): OperationOutput<'publications.review'> {
    const isSame = from === to;
    const counts = isSame ? { added: 0, removed: 0, changed: 0, moved: 0, broken: 0, same: 409 } : this.counts;
    const rows = isSame ? [] : this.rows.filter(({ name }) => name.includes(query.find));
    const listed = rows.filter((row) => isListed(row, query));
    const items = itemsOf(listed, query);
    const firstRule = items.findIndex((item) => item.kind === 'row' && item.row.kind !== 'broken');
    return {
      counts,
      facets: facetsOf(rows),
      rows: items.slice(offset, offset + limit),
      total: items.length,
      listed: listed.length,
      firstRule: firstRule === -1 ? null : firstRule,
      muted: [],
    };
  }
}

const partOf = ({ kind, parts }: DifferenceRow): ChangedPart | null =>
  kind === 'changed' ? (partsByGravity.find((part) => parts.includes(part)) ?? 'layout') : null;

function isListed(row: DifferenceRow, { of, parts }: ReviewQuery): boolean {
  const part = partOf(row);
  return (of === 'all' || of === row.kind) && (part === null || parts.includes(part));
}

/**
 * As a host groups them: broken ones by their words, which are open at first where they are few, and the others by
 * file.
 */
function itemsOf(rows: readonly DifferenceRow[], { toggled }: ReviewQuery): ReviewItem[] {
  const itemOf = (row: DifferenceRow): ReviewItem => ({ kind: 'row', row, part: partOf(row) });
  const broken = rows.filter(({ kind }) => kind === 'broken');
  const causes = [...Map.groupBy(broken, (row) => row.broken?.text ?? '')];
  const groups = causes.flatMap(([subject, group]): ReviewItem[] => {
    const isOpen = toggled.includes(subject) !== broken.length <= 3;
    const head: ReviewItem = {
      kind: 'cause',
      key: subject,
      cause: { kind: 'engine', subject, isTakenByYara: false },
      count: group.length,
      isOpen,
      files: 1,
      file: group[0]?.file ?? '',
    };
    return [head, ...(isOpen ? group.map(itemOf) : [])];
  });
  const files = [
    ...Map.groupBy(
      rows.filter(({ kind }) => kind !== 'broken'),
      ({ file }) => file,
    ),
  ].flatMap(([file, group]): ReviewItem[] => {
    const isOpen = !toggled.includes(file);
    return [{ kind: 'file', key: file, file, count: group.length, isOpen }, ...(isOpen ? group.map(itemOf) : [])];
  });
  return [
    ...(broken.length === 0 ? [] : [{ kind: 'broken' as const, count: broken.length, causes: causes.length }]),
    ...groups,
    ...files,
  ];
}

function facetsOf(rows: readonly DifferenceRow[]): ReviewFacets {
  const facets: ReviewFacets = {
    all: rows.length,
    changed: 0,
    added: 0,
    removed: 0,
    moved: 0,
    broken: 0,
    parts: { condition: 0, strings: 0, modifiers: 0, tags: 0, meta: 0, layout: 0 },
  };
  for (const row of rows) {
    facets[row.kind] += 1;
    const part = partOf(row);
    if (part !== null) facets.parts[part] += 1;
  }
  return facets;
}

/** The publications over that host, on their first tab. */
export async function openUpdates(host: PackageHost = new PackageHost(), more: GivenAnswers = {}) {
  const bridge = new MemoryBridge({ ...host.answers, ...more });
  const user = userEvent.setup();
  render(
    <TestProviders bridge={bridge} features={[PublicationsPlaceProvider]}>
      <FreshView />
    </TestProviders>,
  );
  await screen.findByRole('heading', { level: 1, name: 'Publications' });
  return { bridge, user, host };
}

function FreshView() {
  useFreshPublications();
  return <PublicationsView />;
}

import { screen, within } from '@testing-library/react';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { Mute } from '../../../../shared/domain/mute.ts';
import {
  historyWeeks,
  type ListedRule,
  type RuleFactsView,
  type RuleRow,
  type RuleView,
} from '../../../../shared/domain/publication.ts';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { activeId, openTab, ruleRowOf } from '../open-tab.fixture.tsx';

export const broken = {
  rule: 'mailer',
  file: 'mail/tinlark.yar',
  line: 23,
  kind: 'engine',
  text: 'unknown identifier `$s4`',
} as const;
export const some: readonly RuleRow[] = [
  ruleRowOf(0, {
    name: 'config_xor',
    tags: ['ashveil', 'config'],
    description: 'Finds its <b>config</b>',
    isMuted: true,
  }),
  ruleRowOf(1, { name: 'mailer', broken }),
  ruleRowOf(2, { name: 'overlay_key', isPrivate: true }),
];
export const mute: Mute = {
  id: 4,
  workspaceId: 'lab',
  rule: 'config_xor',
  sample: null,
  reason: 'our own tool',
  expires: null,
  created: '2026-11-01T10:00:00.000Z',
  ruleNow: 'same',
  hasExpired: false,
};

export const viewOf = (row: RuleRow): RuleView => ({
  row,
  warnings: [],
  meta: [{ key: 'author', value: 'desk-4' }],
  imports: ['pe'],
  source: {
    file: row.file,
    line: row.line,
    text: `rule ${row.name} {\n  strings:\n    $s = "x"\n  condition: $s\n}`,
    lines: 5,
    isCut: false,
  },
});

export const listed = (rules: readonly RuleRow[], columns: readonly string[] = []): ListedRule[] =>
  rules.map((row) => ({
    ...row,
    hits: row.number * 3,
    lastHit: null,
    cost: null,
    warnings: [],
    values: columns.map((key) => `${key} of ${row.name}`),
  }));

export const noFacts: RuleFactsView = {
  samples: 0,
  lastHit: null,
  weeks: Array.from({ length: historyWeeks }, () => 0),
  newest: [],
  uses: [],
  usedBy: [],
  variables: [],
  cost: null,
};

export function answersOf(rows: readonly RuleRow[]): GivenAnswers {
  return {
    'publications.rules': ({ find, columns, offset, limit }: OperationInput<'publications.rules'>) => {
      const meant = rows.filter(({ name, tags }) => `${name} ${tags.join(' ')}`.includes(find));
      return {
        sha256: activeId,
        rows: listed(meant.slice(offset, offset + limit), columns),
        total: meant.length,
        metaKeys: ['author', 'score'],
      };
    },
    'publications.rule': ({ number }) =>
      viewOf(rows.find((row) => row.number === number) ?? fail({ kind: 'rule-missing', name: String(number) })),
    'publications.ruleFacts': () => noFacts,
    'mutes.list': () => ({ mutes: [mute] }),
  };
}

export const openRules = (more: GivenAnswers = {}, rows = some) => openTab('rules', { ...answersOf(rows), ...more });
/** Without the heads. */
export const rowElements = (): HTMLElement[] => screen.getAllByRole('row').slice(1);
export const rows = (): (string | null)[] => rowElements().map(({ textContent }) => textContent);
/** The pane of a rule, once its buttons are there: the letter keys press them. */
export async function rule(name: string): Promise<HTMLElement> {
  const pane = await screen.findByRole('region', { name: `Rule ${name}` });
  await within(pane).findByRole('heading', { name });
  return pane;
}

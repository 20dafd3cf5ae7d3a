import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { Mute } from '../../../../shared/domain/mute.ts';
import {
  type CostMeasurement,
  historyWeeks,
  type ListedRule,
  type RuleCost,
  type RuleFactsView,
  type RuleRow,
  type RuleView,
  sortByPlace,
} from '../../../../shared/domain/publication.ts';
import { fail } from '../../../../shared/failure.ts';
import { type GivenAnswers, muteUndo } from '../../../test/memory-bridge.ts';
import { putIn } from '../../../test/put-in.ts';
import { activeId, openTab, packageOf, ruleRowOf, stateOf } from '../open-tab.fixture.tsx';

const broken = {
  rule: 'mailer',
  file: 'mail/tinlark.yar',
  line: 23,
  kind: 'engine',
  text: 'unknown identifier `$s4`',
} as const;
const some: readonly RuleRow[] = [
  ruleRowOf(0, {
    name: 'config_xor',
    tags: ['ashveil', 'config'],
    description: 'Finds its <b>config</b>',
    isMuted: true,
  }),
  ruleRowOf(1, { name: 'mailer', broken }),
  ruleRowOf(2, { name: 'overlay_key', isPrivate: true }),
];
const mute: Mute = {
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

const viewOf = (row: RuleRow): RuleView => ({
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

const listed = (rules: readonly RuleRow[], columns: readonly string[] = []): ListedRule[] =>
  rules.map((row) => ({
    ...row,
    hits: row.number * 3,
    lastHit: null,
    cost: null,
    warnings: [],
    values: columns.map((key) => `${key} of ${row.name}`),
  }));

const noFacts: RuleFactsView = {
  samples: 0,
  lastHit: null,
  weeks: Array.from({ length: historyWeeks }, () => 0),
  newest: [],
  uses: [],
  usedBy: [],
  variables: [],
  cost: null,
};

function answersOf(rows: readonly RuleRow[]): GivenAnswers {
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

const openRules = (more: GivenAnswers = {}, rows = some) => openTab('rules', { ...answersOf(rows), ...more });
/** Without the heads. */
const rowElements = (): HTMLElement[] => screen.getAllByRole('row').slice(1);
const rows = (): (string | null)[] => rowElements().map(({ textContent }) => textContent);
/** The pane of a rule, once its buttons are there: the letter keys press them. */
async function rule(name: string): Promise<HTMLElement> {
  const pane = await screen.findByRole('region', { name: `Rule ${name}` });
  await within(pane).findByRole('heading', { name });
  return pane;
}

test('each rule has name, place and status; the first one is shown with meta and source', async () => {
  openRules();
  await waitFor(() =>
    expect(rows()).toEqual([
      'config_xormutedmail/tinlark.yar, line 1Finds its <b>config</b>0',
      'mailerbrokenmail/tinlark.yar, line 113',
      'overlay_keymail/tinlark.yar, line 216',
    ]),
  );
  expect(screen.getByText('409 rules, 1 muted, 1 broken')).toBeDefined();
  const shown = await rule('config_xor');
  await waitFor(() => expect(within(shown).getByText('desk-4')).toBeDefined());
  expect(
    within(within(shown).getByRole('list', { name: 'Tags' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['ashveil', 'config']);
  expect(within(shown).getByRole('region', { name: 'Source of config_xor' }).textContent).toContain('$s = "x"');
  expect(within(shown).getByText(/Muted in every sample/).textContent).toContain('our own tool');
});

test('the list is walked by its keys, Enter leads to the source and Escape back', async () => {
  const { user } = openRules();
  await rule('config_xor');
  act(() => rowElements()[0]?.focus());
  await user.keyboard('jj');
  const shown = await rule('overlay_key');
  await waitFor(() => expect(within(shown).getByText('mail/tinlark.yar, line 21')).toBeDefined());
  expect(within(shown).getByText(/private/)).toBeDefined();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(within(shown).getByRole('region', { name: 'Source of overlay_key' }));
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('overlay_key');
});

test('a broken rule says which line is wrong, in the engine’s words', async () => {
  const { user } = openRules();
  await user.click(await screen.findByText('mailer'));
  const shown = await rule('mailer');
  expect(
    (await within(shown).findByText('This rule is broken and skipped in scans')).closest('[role=note]')?.textContent,
  ).toContain('mail/tinlark.yar, line 23: unknown identifier `$s4`');
});

test('a search asks when the typing rests; one that finds nothing leads back to all', async () => {
  const { user, bridge } = openRules();
  await rule('config_xor');
  await user.keyboard('/');
  const field = screen.getByRole('textbox', { name: 'Search rules by words or fields' });
  expect(document.activeElement).toBe(field);
  await user.keyboard('overlay');
  expect(await screen.findByText('1 found')).toBeDefined();
  expect(bridge.inputsOf('publications.rules').map((input) => (input as { find: string }).find)).toEqual([
    '',
    'overlay',
  ]);
  await user.keyboard('XX');
  expect(await screen.findByText('No rule matches "overlayXX".')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all rules' }));
  await waitFor(() => expect(rows()).toHaveLength(3));
});

test('focus set on the list before its search ended shows the rule found, not the one it was on', async () => {
  const { user } = openRules();
  await rule('config_xor');
  await user.keyboard('/');
  await user.keyboard('overlay');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('config_xor');
  await rule('overlay_key');
  expect(screen.getByRole('row', { current: true })).toBe(document.activeElement);
  expect(document.activeElement?.textContent).toContain('overlay_key');
});

test('M mutes the rule that is shown: with a reason, for one sample, until a day', async () => {
  const { user, bridge } = openRules();
  const shown = await rule('config_xor');
  await within(shown).findByText('desk-4');
  act(() => rowElements()[0]?.focus());
  await user.keyboard('m');
  const dialog = await screen.findByRole('dialog', { name: 'Mute config_xor?' });
  await user.click(within(dialog).getByRole('button', { name: 'Mute' }));
  expect(within(dialog).getByText('Enter a reason')).toBeDefined();
  expect(document.activeElement?.textContent).toBe('Mute');
  await putIn(user, within(dialog).getByRole('textbox', { name: 'Reason' }), 'our own tool');
  await user.click(within(dialog).getByRole('radio', { name: 'In one sample' }));
  await user.type(within(dialog).getByRole('textbox', { name: 'SHA-256 of the sample' }), 'abc');
  await user.click(within(dialog).getByRole('radio', { name: 'Until a date' }));
  await user.click(within(dialog).getByRole('button', { name: 'Mute' }));
  expect(within(dialog).getByText('A SHA-256 has 64 hexadecimal digits')).toBeDefined();
  expect(within(dialog).getByText('Enter today or a later date, as YYYY-MM-DD')).toBeDefined();
  expect(bridge.inputsOf('mutes.add')).toEqual([]);
  await user.clear(within(dialog).getByRole('textbox', { name: 'SHA-256 of the sample' }));
  await user.click(within(dialog).getByRole('textbox', { name: 'SHA-256 of the sample' }));
  await user.paste(` ${'B'.repeat(64)} `);
  await putIn(user, within(dialog).getByLabelText('Last day (UTC)'), '2126-12-01');
  await user.click(within(dialog).getByRole('button', { name: 'Mute' }));
  await waitFor(() =>
    expect(bridge.inputsOf('mutes.add')).toEqual([
      {
        workspaceId: 'lab',
        rule: 'config_xor',
        sample: 'b'.repeat(64),
        reason: 'our own tool',
        expires: '2126-12-01T23:59:59.000Z',
      },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(bridge.inputsOf('mutes.undo')).toEqual([{ added: muteUndo }]);
});

test('before a rule that is muted is muted once more, the mute that would be replaced is shown', async () => {
  const inOne = { ...mute, id: 9, rule: 'config_xor', sample: 'b'.repeat(64), reason: 'only there' };
  const { user } = openRules({
    'mutes.list': () => ({
      mutes: [
        { ...mute, rule: 'config_xor', sample: null, reason: 'our own tool' },
        { ...mute, id: 8, rule: 'other' },
        inOne,
      ],
    }),
  });
  await rule('config_xor');
  act(() => rowElements()[0]?.focus());
  await user.keyboard('m');
  const dialog = within(await screen.findByRole('dialog', { name: 'Mute config_xor?' }));
  expect((await dialog.findByRole('note')).textContent).toContain('Already muted there: our own tool');
  await user.click(dialog.getByRole('radio', { name: 'In one sample' }));
  expect(dialog.queryByRole('note')).toBeNull();
  await user.click(dialog.getByRole('textbox', { name: 'SHA-256 of the sample' }));
  await user.paste('b'.repeat(64));
  expect(dialog.getByRole('note').textContent).toContain('Already muted there: only there');
});

test('muting a rule that is muted says that its mute is replaced', async () => {
  const { user } = openRules({ 'mutes.add': (draft) => ({ ...mute, ...draft, undo: muteUndo, replaces: true }) });
  await rule('config_xor');
  act(() => rowElements()[0]?.focus());
  await user.keyboard('m');
  const dialog = await screen.findByRole('dialog', { name: 'Mute config_xor?' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'another{Enter}');
  expect(await screen.findByText('config_xor muted, replacing its earlier mute')).toBeDefined();
});

test('the rule that is read stays the one that is read in another package, where it has another number', async () => {
  let sha256 = activeId;
  const { bridge, user } = openRules({
    'publications.state': () => stateOf({ packages: [packageOf({ sha256 })], active: sha256 }),
    'publications.rules': () =>
      sha256 === activeId
        ? { sha256, rows: listed(some), total: 3, metaKeys: [] }
        : { sha256, rows: listed(some.map((row) => ({ ...row, number: row.number + 7 }))), total: 3, metaKeys: [] },
    'publications.rule': ({ number }) =>
      viewOf(some.find((row) => row.number === number % 7) ?? fail({ kind: 'no-package' })),
  });
  await user.click(await screen.findByText('overlay_key'));
  await rule('overlay_key');
  sha256 = 'c'.repeat(64);
  act(() => bridge.tell('publications.changed', { workspaceId: 'lab' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.rule')).toContainEqual({ workspaceId: 'lab', sha256, number: 9 }),
  );
  expect(screen.getByRole('row', { current: true }).textContent).toContain('overlay_key');
});

test('ten thousand rules: only those in sight are asked for and drawn', async () => {
  const many = Array.from({ length: 10_000 }, (_, number) => ruleRowOf(number));
  const { bridge } = openRules({}, many);
  expect(await screen.findByText('rule_0')).toBeDefined();
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  expect(bridge.inputsOf('publications.rules')).toHaveLength(1);
});

test('without a package it says where rules come from, and asks for none', async () => {
  const { user, bridge } = openRules({ 'publications.state': () => stateOf({ packages: [], active: null }) });
  expect(await screen.findByText('No rules yet')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Go to Updates' }));
  expect(await screen.findByText('the updates')).toBeDefined();
  expect(bridge.inputsOf('publications.rules')).toEqual([]);
});

test('rules that cannot be read say why', async () => {
  openRules({ 'publications.rules': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
});

test('S scans the vault with the rule shown, and a private or broken rule has no hits of its own', async () => {
  const { user, bridge } = openRules();
  const shown = await rule('config_xor');
  const button = await within(shown).findByRole<HTMLButtonElement>('button', {
    name: /^Scan vault with config_xor/,
  });
  expect(button.disabled).toBe(false);
  act(() => rowElements()[0]?.focus());
  await user.keyboard('s');
  await waitFor(() =>
    expect(bridge.inputsOf('hunts.start')).toEqual([
      { workspaceId: 'lab', scope: { kind: 'named', rules: ['config_xor'] } },
    ]),
  );
});

test('a rule that cannot be looked with by itself offers no scan', async () => {
  const { user } = openRules();
  for (const name of ['overlay_key', 'mailer']) {
    await user.click(await screen.findByText(name));
    const shown = await rule(name);
    await waitFor(() =>
      expect(
        within(shown).getByRole<HTMLButtonElement>('button', { name: new RegExp(`^Scan vault with ${name}`) }).disabled,
      ).toBe(true),
    );
  }
});

test('a scan of the vault that does not begin says why beside the rule', async () => {
  const { user } = openRules({ 'hunts.start': () => fail({ kind: 'vault-empty' }) });
  const shown = await rule('config_xor');
  await user.click(await within(shown).findByRole('button', { name: /^Scan vault/ }));
  expect((await within(shown).findByRole('alert')).textContent).toContain('The vault is empty');
});

test('the hits column has a dash, and the rule says why, when a rule cannot report hits', async () => {
  openRules({
    'publications.rules': () => ({
      sha256: activeId,
      rows: listed(some).map((one) => ({ ...one, hits: 0 })),
      total: some.length,
      metaKeys: [],
    }),
  });
  await waitFor(() =>
    expect(rowElements().map((row) => within(row).getAllByRole('gridcell').at(-1)?.textContent)).toEqual([
      '0',
      '–',
      '–',
    ]),
  );
  act(() => rowElements()[1]?.focus());
  expect(await within(await rule('mailer')).findByText('Skipped in scans, so it has no hits')).toBeDefined();
});

test('a search that cannot be read says so below its field and keeps what was found', async () => {
  const { user, bridge } = openRules();
  await rule('config_xor');
  await user.keyboard('/');
  await user.keyboard('tga:apt');
  const problem = (await screen.findByText(/Did you mean/)).closest('p')?.textContent;
  expect(problem).toMatch(
    /^Unknown field “tga:”\. Did you mean “tag:”\? Quote it to search for the text\. For example: /,
  );
  expect(problem).toMatch(/For example: tag:\S+ All rules are shown\.$/);
  expect(screen.getByRole('textbox', { name: /^Search rules/ }).getAttribute('aria-invalid')).toBe('true');
  expect(rowElements()).toHaveLength(3);
  expect(bridge.inputsOf('publications.rules')).toHaveLength(1);
});

test('columns are chosen from the meta of rules, and their heads sort', async () => {
  const { user, bridge } = openRules();
  await rule('config_xor');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'score' }));
  await user.keyboard('{Escape}');
  expect(await screen.findByText('score of mailer')).toBeDefined();
  for (const name of ['Hits', 'score', 'Rule', 'Rule', 'Rule'])
    await user.click(screen.getByRole('columnheader', { name }));
  await waitFor(() =>
    expect(
      bridge.inputsOf('publications.rules').map((input) => (input as OperationInput<'publications.rules'>).sort),
    ).toEqual(
      expect.arrayContaining([
        sortByPlace,
        { by: { column: 'hits' }, direction: 'descending' },
        { by: { column: 'meta', key: 'score' }, direction: 'ascending' },
        { by: { column: 'name' }, direction: 'ascending' },
        { by: { column: 'name' }, direction: 'descending' },
      ]),
    ),
  );
});

test('a rule shows weekly hits with latest samples, what it uses, its warnings and, on request, packages', async () => {
  const facts: RuleFactsView = {
    samples: 9,
    lastHit: '2030-06-15T12:30:00.000Z',
    weeks: noFacts.weeks.map((_, week) => (week > 21 ? week - 20 : 0)),
    newest: [{ sha256: 'b'.repeat(64), name: 'invoice.scr', lastHit: '2030-06-15T12:30:00.000Z' }],
    uses: ['overlay_key'],
    usedBy: [],
    variables: ['filename'],
    cost: null,
  };
  const { user, bridge } = openRules({
    'publications.ruleFacts': () => facts,
    'publications.rule': ({ number }) => ({
      ...viewOf(some[number] ?? fail({ kind: 'no-package' })),
      warnings: [{ rule: 'config_xor', file: 'mail/tinlark.yar', line: 3, code: 'slow_pattern', text: 'slow pattern' }],
    }),
    'publications.rulePackages': () => ({
      packages: [
        { sha256: activeId, version: '1.4', standing: 'active', text: 'same' },
        { sha256: 'c'.repeat(64), version: '1.3', standing: 'kept', text: 'other' },
      ],
      unread: ['1.1'],
    }),
  });
  const shown = within(await rule('config_xor'));
  expect(await shown.findByText('9 samples hit')).toBeDefined();
  expect(shown.getByRole('img', { name: '5 new samples hit in 24 weeks, 3 this week' })).toBeDefined();
  expect(shown.getByRole('button', { name: 'Open invoice.scr' })).toBeDefined();
  expect(shown.getByText('variable filename')).toBeDefined();
  expect((await shown.findByRole('list', { name: '1 warning' })).textContent).toBe('Line 3: slow pattern slow_pattern');
  expect(bridge.inputsOf('publications.rulePackages')).toEqual([]);
  await user.click(shown.getByRole('button', { name: 'Find in stored packages' }));
  expect((await shown.findByText('1.4 (active, same text)')).parentElement?.textContent).toContain(
    '1.3 (different text)Could not be read: 1.1',
  );
  await user.click(shown.getByRole('button', { name: 'overlay_key' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Search rules/ }).value).toBe('name:overlay_key');
});

test('the cost of a rule is measured when it is asked for, and says how and when', async () => {
  const cost: RuleCost = {
    msPerMegabyte: 0.414,
    together: 1,
    samples: 14,
    bytes: 5_200_000,
    engine: 'wasm',
    measured: '2030-06-15T12:30:00.000Z',
  };
  const { user, bridge } = openRules({ 'ruleTrials.cost': () => cost });
  const shown = within(await rule('config_xor'));
  await user.click(await shown.findByRole('button', { name: 'Measure cost' }));
  expect((await shown.findByText('0.41 ms per MB')).parentElement?.textContent).toMatch(
    /measured 2030-06-15 12:30Z?, alone, over 14 samples \(5\.2 MB\), portable engine/,
  );
  expect(bridge.inputsOf('ruleTrials.cost')).toEqual([{ workspaceId: 'lab', sha256: activeId, key: 'config_xor' }]);
});

test('the cost of a measured rule is shown, and a rule measured with others costs at most that', async () => {
  const cost: RuleCost = {
    msPerMegabyte: 3.2,
    together: 40,
    samples: 14,
    bytes: 4_000_000,
    engine: 'native',
    measured: '2030-06-15T12:30:00.000Z',
  };
  openRules({ 'publications.ruleFacts': () => ({ ...noFacts, cost }) });
  const shown = within(await rule('config_xor'));
  expect((await shown.findByText('At most 3.2 ms per MB')).parentElement?.textContent).toMatch(
    /in a group of 40 rules, over 14 samples \(4 MB\), native engineMeasure again/,
  );
});

test('measuring the rules of a package can be stopped, and the slowest are shown, also on a later page', async () => {
  let measurement: CostMeasurement = {
    workspaceId: 'lab',
    sha256: activeId,
    version: '1.4',
    state: 'running',
    failure: null,
    isAfterHunt: false,
    rules: 409,
    done: 120,
    alone: 2,
    leftOut: [],
    ended: null,
  };
  const { user, bridge, unmount } = openRules({
    'ruleCosts.state': () => ({ measurement }),
    'ruleCosts.start': () => measurement,
  });
  expect(await screen.findByText('Measuring costs: 120 of 409 rules, 2 alone')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Measure cost of all rules' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(bridge.inputsOf('ruleCosts.cancel')).toEqual([{ workspaceId: 'lab' }]);
  measurement = {
    ...measurement,
    state: 'done',
    done: 408,
    alone: 12,
    leftOut: ['mailer'],
    ended: '2030-06-15T12:30:00.000Z',
  };
  act(() => bridge.tell('ruleCosts.changed', { workspaceId: 'lab', isRunning: false }));
  expect(await screen.findByText(/^Costs measured 2030-06-15 12:30Z?: 408 of 409 rules, 12 alone$/)).toBeDefined();
  expect(screen.getByText('Not measured because the engine cannot scan with them: mailer')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show the slowest' }));
  const byCost = { by: { column: 'cost' }, direction: 'descending' };
  expect(await screen.findByRole('columnheader', { name: 'ms/MB' })).toBeDefined();
  await waitFor(() => expect(bridge.inputsOf('publications.rules').at(-1)).toMatchObject({ sort: byCost, find: '' }));
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/408 of 409/)).toBeNull();
  unmount();
  const later = openRules();
  expect(await screen.findByRole('columnheader', { name: 'ms/MB' })).toBeDefined();
  await waitFor(() => expect(later.bridge.inputsOf('publications.rules').at(-1)).toMatchObject({ sort: byCost }));
});

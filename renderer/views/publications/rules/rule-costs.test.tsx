import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CostMeasurement, RuleCost, RuleFactsView } from '../../../../shared/domain/publication.ts';
import { fail } from '../../../../shared/failure.ts';
import { activeId } from '../open-tab.fixture.tsx';
import { some, viewOf, listed, noFacts, openRules, rowElements, rule } from './listed-rules.fixture.tsx';

test('the hits column has a dash, and the rule gives the reason, when a rule cannot report hits', async () => {
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
  // The first rule is shown by itself, and would follow a focus that came before it.
  await rule('config_xor');
  act(() => rowElements()[1]?.focus());
  expect(await within(await rule('mailer')).findByText('Skipped in scans, so it has no hits')).toBeDefined();
});

test('a rule shows weekly hits with latest samples, dependencies, warnings and, on request, packages', async () => {
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

test('the cost of a rule is measured on request, and shown with method and time', async () => {
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
  act(() => bridge.emit('ruleCosts.changed', { workspaceId: 'lab', isRunning: false }));
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

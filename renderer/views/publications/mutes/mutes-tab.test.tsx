import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { activeId, openTab, ruleRowOf } from '../open-tab.fixture.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const muteOf = (id: number, change: Partial<Mute> = {}): Mute => ({
  id,
  workspaceId: 'lab',
  rule: `rule_${id}`,
  sample: null,
  reason: 'our own tool',
  expires: null,
  created: '2026-11-01T10:00:00.000Z',
  ruleNow: 'same',
  hasExpired: false,
  ...change,
});
const some: readonly Mute[] = [
  muteOf(3, { sample: 'b'.repeat(64), expires: '2126-12-01T23:59:59.000Z' }),
  muteOf(2, { hasExpired: true, expires: '2026-11-05T10:00:00.000Z' }),
  muteOf(1, { ruleNow: 'changed' }),
  muteOf(5, { ruleNow: 'gone' }),
];

function openMutes(more: GivenAnswers = {}) {
  const host = { mutes: [...some] };
  const page = openTab('mutes', { 'mutes.list': () => ({ mutes: host.mutes }), ...more });
  const report = (mutes: readonly Mute[]): void => {
    host.mutes = [...mutes];
    act(() => page.bridge.emit('mutes.changed', { workspaceId: 'lab' }));
  };
  return { ...page, report };
}
const rows = (): (string | null)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);
const shown = (id: number): Promise<HTMLElement> => screen.findByRole('region', { name: `Mute of rule_${id}` });

test('each mute has its rule, state, sample, reason and end; one with a changed rule comes first', async () => {
  openMutes();
  await waitFor(() =>
    expect(rows()).toEqual([
      'rule_1rule changedevery sampleour own tool2026-11-01 10:00Zno end date',
      'rule_3in forcebbbbbbbbbbbbour own tool2026-11-01 10:00Z2126-12-01 23:59Z',
      'rule_2expiredevery sampleour own tool2026-11-01 10:00Z2026-11-05 10:00Z',
      'rule_5rule missingevery sampleour own tool2026-11-01 10:00Zno end date',
    ]),
  );
  expect(screen.getByText('4 mutes, 1 rule changed since')).toBeDefined();
});

test('a mute whose rule changed leads to the rule, and can be kept', async () => {
  const { user, bridge, report } = openMutes({ 'mutes.confirm': ({ id }) => muteOf(id) });
  const pane = await shown(1);
  expect(within(pane).getByText('The rule has changed since it was muted')).toBeDefined();
  await user.click(within(pane).getByRole('button', { name: 'Keep muted' }));
  expect(bridge.inputsOf('mutes.confirm')).toEqual([{ id: 1 }]);
  report(some.map((mute) => ({ ...mute, ruleNow: 'same' })));
  await waitFor(() => expect(screen.queryByText('The rule has changed since it was muted')).toBeNull());
  expect(within(await shown(1)).getByText('in force')).toBeDefined();
});

test('the link to the rule finds it by its whole name', async () => {
  const found = [ruleRowOf(7, { name: 'rule_10' }), ruleRowOf(8, { name: 'rule_1' })];
  const { user, bridge } = openMutes({
    'publications.rules': ({ find }) => ({
      sha256: activeId,
      rows: found
        .filter(({ name }) => name.includes(find))
        .map((row) => ({ ...row, hits: 0, lastHit: null, cost: null, warnings: [], values: [] })),
      total: 2,
      metaKeys: [],
    }),
    'publications.ruleFacts': () => ({
      samples: 0,
      lastHit: null,
      weeks: Array.from({ length: 24 }, () => 0),
      newest: [],
      uses: [],
      usedBy: [],
      variables: [],
      cost: null,
    }),
    'publications.rule': ({ number }) => ({
      row: found.find((row) => row.number === number) ?? fail({ kind: 'no-package' }),
      warnings: [],
      meta: [],
      imports: [],
      source: { file: 'a.yar', line: 1, text: 'rule x {}', lines: 1, isCut: false },
    }),
  });
  await user.click(within(await shown(1)).getByRole('button', { name: 'Show rule' }));
  await screen.findByRole('region', { name: 'Source of rule_1' });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Search rules/ }).value).toBe('rule_1');
  expect(bridge.inputsOf('publications.rule')).toEqual([{ workspaceId: 'lab', sha256: activeId, number: 8 }]);
});

test('unmuting applies at once and can be undone', async () => {
  const { user, bridge, report } = openMutes();
  await user.click(await screen.findByText('rule_3'));
  await shown(3);
  await user.keyboard('u');
  await waitFor(() => expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 3 }]));
  report(some.filter(({ id }) => id !== 3));
  await waitFor(() => expect(rows()).toHaveLength(3));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(bridge.inputsOf('mutes.undo')).toEqual([{ removed: 3 }]);
});

/** Three rules of which the host forgets what is unmuted; the page's clock is stopped. */
function openForgetting() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const gone = new Set<number>();
  const page = openMutes({
    'mutes.remove': ({ id }) => {
      gone.add(id);
      page.report(some.filter((mute) => !gone.has(mute.id)));
      return {};
    },
  });
  return { ...page, waits: (ms: number) => clock.mockReturnValue(10_000 + ms) };
}

test('a double press of U does not unmute the next, unseen mute; a separate press does', async () => {
  const { user, bridge, waits } = openForgetting();
  await user.click(await screen.findByText('rule_3'));
  await user.keyboard('u');
  await shown(2);
  waits(120);
  await user.keyboard('u');
  expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 3 }]);
  waits(600);
  await user.keyboard('u');
  await waitFor(() => expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 3 }, { id: 2 }]));
});

test('a mute that was navigated to is unmuted at once, however soon after another', async () => {
  const { user, bridge } = openForgetting();
  await user.click(await screen.findByText('rule_3'));
  await user.keyboard('u');
  await shown(2);
  await user.keyboard('{ArrowDown}');
  await shown(5);
  await user.keyboard('u');
  await waitFor(() => expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 3 }, { id: 5 }]));
});

test('a held U unmutes one, and a held J continues', async () => {
  const { bridge, waits } = openForgetting();
  fireEvent.click(await screen.findByText('rule_3'));
  const press = (key: string, repeat: boolean): void =>
    void fireEvent.keyDown(document.activeElement ?? document.body, { key, repeat });
  press('u', false);
  await shown(2);
  waits(60_000);
  press('u', true);
  press('j', true);
  await shown(5);
  expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 3 }]);
});

test('a failed undo is reported', async () => {
  const { user } = openMutes({ 'mutes.undo': () => fail({ kind: 'disk-full', path: '/data' }) });
  await user.click(within(await shown(1)).getByRole('button', { name: 'Unmute rule_1' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(/^Not undone: /)).toBeDefined();
});

test('Enter edits: the reason changes, and the end stays unchanged to the second', async () => {
  const { user, bridge } = openMutes({ 'mutes.change': ({ id }) => muteOf(id) });
  await user.click(await screen.findByText('rule_3'));
  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Edit mute of rule_3' });
  expect(
    within(dialog).getByRole<HTMLInputElement>('radio', { name: 'Unchanged: until 2126-12-01 23:59Z' }).checked,
  ).toBe(true);
  await user.clear(within(dialog).getByRole('textbox', { name: 'Reason' }));
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'known packer{Enter}');
  await waitFor(() =>
    expect(bridge.inputsOf('mutes.change')).toEqual([
      { id: 3, change: { reason: 'known packer', expires: '2126-12-01T23:59:59.000Z' } },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toContain('rule_3'));
});

test('an empty list explains the purpose of a mute, and leads to the rules', async () => {
  const { user } = openMutes({ 'mutes.list': () => ({ mutes: [] }) });
  expect(await screen.findByText('No mutes')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Go to Rules' }));
  await waitFor(() => expect(screen.queryByText('No mutes')).toBeNull());
});

import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../../shared/contract.ts';
import { sortByPlace } from '../../../../shared/domain/publication.ts';
import { fail } from '../../../../shared/failure.ts';
import { putIn } from '../../../test/put-in.ts';
import { muteUndo } from '../../../test/quiet-host.ts';
import { activeId, packageOf, ruleRowOf, stateOf } from '../open-tab.fixture.tsx';
import { some, mute, viewOf, listed, openRules, rowElements, rows, rule } from './listed-rules.fixture.tsx';

test('each rule has name, location and status; the first one is shown with meta and source', async () => {
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

test('a broken rule shows its faulty line with the engine’s message', async () => {
  const { user } = openRules();
  await user.click(await screen.findByText('mailer'));
  const shown = await rule('mailer');
  expect(
    (await within(shown).findByText('This rule is broken and skipped in scans')).closest('[role=note]')?.textContent,
  ).toContain('mail/tinlark.yar, line 23: unknown identifier `$s4`');
});

test('a search starts when typing pauses; one without results leads back to all', async () => {
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

test('focus set on the list before its search ended shows the rule found, not the earlier one', async () => {
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

test('M mutes the shown rule: with a reason, for one sample, until a day', async () => {
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

test('muting a muted rule again shows beforehand the mute to be replaced', async () => {
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

test('muting a muted rule reports that its mute is replaced', async () => {
  const { user } = openRules({ 'mutes.add': (draft) => ({ ...mute, ...draft, undo: muteUndo, replaces: true }) });
  await rule('config_xor');
  act(() => rowElements()[0]?.focus());
  await user.keyboard('m');
  const dialog = await screen.findByRole('dialog', { name: 'Mute config_xor?' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'another{Enter}');
  expect(await screen.findByText('config_xor muted, replacing its earlier mute')).toBeDefined();
});

test('the open rule stays open in another package, where it has another number', async () => {
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
  act(() => bridge.emit('publications.changed', { workspaceId: 'lab' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.rule')).toContainEqual({ workspaceId: 'lab', sha256, number: 9 }),
  );
  expect(screen.getByRole('row', { current: true }).textContent).toContain('overlay_key');
});

test('the list requests and draws only the visible ones of ten thousand rules', async () => {
  const many = Array.from({ length: 10_000 }, (_, number) => ruleRowOf(number));
  const { bridge } = openRules({}, many);
  expect(await screen.findByText('rule_0')).toBeDefined();
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  expect(bridge.inputsOf('publications.rules')).toHaveLength(1);
});

test('RulesTab names the source of rules while there is no package, and requests none', async () => {
  const { user, bridge } = openRules({ 'publications.state': () => stateOf({ packages: [], active: null }) });
  expect(await screen.findByText('No rules yet')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Go to Updates' }));
  expect(await screen.findByText('the updates')).toBeDefined();
  expect(bridge.inputsOf('publications.rules')).toEqual([]);
});

test('unreadable rules show the reason', async () => {
  openRules({ 'publications.rules': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
});

test('S scans the vault with the shown rule; a private or broken rule has no own hits', async () => {
  const { user, bridge } = openRules();
  const shown = await rule('config_xor');
  const button = await within(shown).findByRole<HTMLButtonElement>('button', {
    name: /^Hunt vault with config_xor/,
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

test('a rule that cannot be scanned with alone offers no scan', async () => {
  const { user } = openRules();
  for (const name of ['overlay_key', 'mailer']) {
    await user.click(await screen.findByText(name));
    const shown = await rule(name);
    await waitFor(() =>
      expect(
        within(shown).getByRole<HTMLButtonElement>('button', { name: new RegExp(`^Hunt vault with ${name}`) }).disabled,
      ).toBe(true),
    );
  }
});

test('a vault scan that fails to start shows the reason beside the rule', async () => {
  const { user } = openRules({ 'hunts.start': () => fail({ kind: 'vault-empty' }) });
  const shown = await rule('config_xor');
  await user.click(await within(shown).findByRole('button', { name: /^Hunt vault/ }));
  expect((await within(shown).findByRole('alert')).textContent).toContain('The vault is empty');
});

test('an invalid search is reported below its field and keeps the results', async () => {
  const { user, bridge } = openRules();
  await rule('config_xor');
  await user.keyboard('/');
  await user.keyboard('tga:apt');
  const problem = (await screen.findByText(/Did you mean/)).closest('p')?.textContent;
  expect(problem).toMatch(
    /^Unknown field “tga:”\. Did you mean “tag:”\? Quote it to search for the text\. For example: /,
  );
  expect(problem).toMatch(/For example: tag:\S+\. All rules are shown\.$/);
  expect(screen.getByRole('textbox', { name: /^Search rules/ }).getAttribute('aria-invalid')).toBe('true');
  expect(rowElements()).toHaveLength(3);
  expect(bridge.inputsOf('publications.rules')).toHaveLength(1);
});

test('columns are chosen from the meta of rules, and their headers sort', async () => {
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

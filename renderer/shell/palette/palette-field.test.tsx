import type { Failure } from '../../../shared/failure-kinds.ts';
import '../../components/data-grid/layout.fixture.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { RuleRow } from '../../../shared/domain/publication.ts';
import { settings as settingsSchema } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { recentLookups } from '../../features/lookup/lookup-store.tsx';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { host, lab, md5, noPackages, sha1, usedSettings } from '../../test/quiet-host.ts';

afterEach(async () => {
  cleanup();
  await new Promise<void>((resolve) => {
    indexedDB.deleteDatabase('vitrine-commands').addEventListener('success', () => resolve());
  });
});

const active: GivenAnswers = {
  'publications.state': ({ workspaceId }) => ({
    ...noPackages,
    workspaceId,
    active: 'a'.repeat(64),
    packages: [
      {
        sha256: 'a'.repeat(64),
        version: '2026.11.10',
        group: 'Release',
        published: null,
        source: 'service',
        sizeBytes: 1,
        received: '2026-11-10T14:30:00.000Z',
        contents: { files: 1, rules: 2, broken: 0 },
        failure: null,
        warnings: [],
        activated: null,
        activeMs: 0,
      },
    ],
  }),
};
const rule = (number: number, name: string): RuleRow => ({
  number,
  name,
  key: name,
  file: 'a.yar',
  line: number,
  tags: [],
  isPrivate: false,
  isGlobal: false,
  description: null,
  broken: null,
  isMuted: false,
});

const field = (): HTMLElement => screen.getByRole('combobox', { name: 'Paste a hash, find a sample or run a command' });
const list = (): HTMLElement => screen.getByRole('listbox', { name: 'Commands' });
const options = (): string[] =>
  within(list())
    .getAllByRole('option')
    .map((option) => option.textContent);
const activeOption = (): string | null =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;

async function openPalette(answers: GivenAnswers = {}) {
  const page = await open(answers);
  await page.user.keyboard('{Control>}k{/Control}');
  return page;
}

test('Ctrl K opens all entries; arrows, Home and End move in a circle and keep the field’s focus', async () => {
  const { user } = await openPalette();
  expect(field()).toBe(document.activeElement);
  expect(
    within(list())
      .getAllByRole('group')
      .map((group) => group.firstElementChild?.textContent),
  ).toEqual(['Go to', 'Appearance', 'More']);
  const all = options();
  expect(all).toEqual(
    expect.arrayContaining([
      'Library Ctrl 1',
      'Activity Ctrl 8',
      'Journal Ctrl 9',
      'Settings: Appearance ',
      'Publications: Publish ',
      'Dark theme ',
      'Verify journal ',
    ]),
  );
  expect(activeOption()).toBeNull();
  await user.keyboard('{Enter}{ArrowDown}');
  expect(activeOption()).toBe(all[0]);
  await user.keyboard('{ArrowDown}');
  expect(activeOption()).toBe(all[1]);
  await user.keyboard('{End}');
  expect(activeOption()).toBe(all.at(-1));
  await user.keyboard('{ArrowDown}');
  expect(activeOption()).toBe(all[0]);
  await user.keyboard('{ArrowUp}{Home}');
  expect(activeOption()).toBe(all[0]);
  expect(field()).toBe(document.activeElement);
});

test('the search matches beginnings of words, the best first, and shows the number of entries', async () => {
  const { user } = await openPalette();
  await user.keyboard('pub ru');
  expect(options()).toEqual(['Publications: Rules ', 'Check for new rules ', 'Find “pub ru” in the library ']);
  expect(await screen.findByText('3 results')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('tab', { name: 'Rules', selected: true })).toBeDefined();
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('Escape clears the field first, and then returns the focus to its earlier place', async () => {
  const { user } = await open();
  const settings = screen.getByRole('button', { name: 'Settings' });
  act(() => settings.focus());
  await user.keyboard('{Control>}k{/Control}dark{Escape}');
  expect(field()).toBe(document.activeElement);
  expect(field()).toHaveProperty('value', '');
  await user.keyboard('{Escape}');
  expect(settings).toBe(document.activeElement);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('Tab leaves the palette, and focusing the field alone does not open it', async () => {
  const { user } = await openPalette();
  await user.tab();
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.tab({ shift: true });
  expect(field()).toBe(document.activeElement);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('a text with a hash offers its look-up first, whatever surrounds it', async () => {
  const { user, bridge } = await openPalette();
  await user.paste(`see ${sha1}`.slice(0, 4));
  await user.keyboard(sha1);
  expect(activeOption()).toBe(`Look up SHA-1 ${sha1} Enter`);
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: sha1, firstComments: 8 }]),
  );
});

test('pasted words stay in the field; a pasted hash is looked up at once', async () => {
  const { user, bridge } = await openPalette();
  await user.paste('dark theme');
  expect(field()).toHaveProperty('value', 'dark theme');
  await user.clear(field());
  await user.paste(`MD5: ${md5}\n`);
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('samples found in the library come after the commands, and one opens its page', async () => {
  const { user, bridge } = await openPalette({
    'library.list': () => ({ rows: [rowOf(7, { name: 'lure\u202efdp.exe' }), rowOf(8)], total: 2, elapsedMs: 1 }),
  });
  await user.keyboard('lure');
  expect(activeOption()).toBe('Find “lure” in the library ');
  const found = await screen.findByRole('group', { name: 'Samples' });
  expect(activeOption()).toBe('Find “lure” in the library ');
  expect(bridge.inputsOf('library.list')).toContainEqual(
    expect.objectContaining({ terms: [{ field: 'text', negated: false, value: 'lure' }], limit: 8 }),
  );
  await user.click(within(found).getByRole('option', { name: /^lure\\u202efdp\.exe/ }));
  await waitFor(() => expect(bridge.inputsOf('library.sample')).toContainEqual({ hash: rowOf(7).hash }));
});

test('Enter searches the library for the words when no command is chosen', async () => {
  const { user, bridge } = await openPalette();
  await user.keyboard('tag:family{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Library' })).toBeDefined();
  await waitFor(() =>
    expect(bridge.inputsOf('library.list')).toContainEqual(
      expect.objectContaining({ terms: [expect.objectContaining({ field: 'tag' })] }),
    ),
  );
});

test('rules of the active package are found in the host’s ranking, and one opens among the rules', async () => {
  const { user } = await openPalette({
    ...active,
    'publications.ruleNames': () => ({ rows: [rule(2, 'stub_glasswing'), rule(1, 'packed_dropper')] }),
  });
  await user.keyboard('stub');
  const found = await screen.findByRole('group', { name: 'Rules' });
  expect(
    within(found)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['stub_glasswing a.yar:2', 'packed_dropper a.yar:1']);
  await user.keyboard('{End}{ArrowUp}{Enter}');
  expect(await screen.findByRole('tab', { name: 'Rules', selected: true })).toBeDefined();
  expect(await screen.findByRole('textbox', { name: 'Search rules by words or fields' })).toHaveProperty(
    'value',
    'stub_glasswing',
  );
});

test('late results never move the active entry, and rules never come before samples', async () => {
  const [samples, rules] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { user, bridge } = await openPalette({
    ...active,
    'publications.ruleNames': async () => {
      await rules.promise;
      return { rows: [rule(1, 'dark_stub')] };
    },
    'library.list': async () => {
      await samples.promise;
      return { rows: [rowOf(1)], total: 1, elapsedMs: 1 };
    },
  });
  await user.keyboard('dark');
  await waitFor(() => expect(bridge.inputsOf('publications.ruleNames')).toHaveLength(1));
  await user.keyboard('{End}');
  expect(activeOption()).toBe('Find “dark” in the library ');
  samples.resolve();
  await screen.findByRole('group', { name: 'Samples' });
  expect(activeOption()).toBe('Find “dark” in the library ');
  await user.keyboard('{End}');
  const before = options();
  rules.resolve();
  await screen.findByRole('group', { name: 'Rules' });
  expect(options()).toEqual([...before, 'dark_stub a.yar:1']);
  expect(activeOption()).toBe(before.at(-1));
});

test('rules that arrive first wait for the samples, whatever their outcome', async () => {
  const samples = Promise.withResolvers<void>();
  const { user, bridge } = await openPalette({
    ...active,
    'publications.ruleNames': () => ({ rows: [rule(1, 'dark_stub')] }),
    'library.list': async () => {
      await samples.promise;
      return fail({ kind: 'no-hash' });
    },
  });
  await user.keyboard('dark');
  await waitFor(() => expect(bridge.inputsOf('publications.ruleNames')).toHaveLength(1));
  expect(screen.queryByRole('group', { name: 'Rules' })).toBeNull();
  samples.resolve();
  expect(await screen.findByRole('group', { name: 'Rules' })).toBeDefined();
});

test('a failing search reports it in a line and keeps the rest; a replaced search reports nothing', async () => {
  let kind: 'cancelled' | 'no-hash' = 'cancelled';
  const { user } = await openPalette({ 'library.list': () => fail({ kind }) });
  await user.keyboard('dark');
  await waitFor(() => expect(options()).toContain('Dark theme '));
  kind = 'no-hash';
  await user.keyboard(' the');
  expect(await screen.findByText(/^Samples were not searched: /)).toBeDefined();
  expect(screen.getAllByText(/^Samples were not searched: /)).toHaveLength(1);
  expect(activeOption()).toBe('Dark theme ');
});

test('a saved view, a job, another workspace and a theme are reached by name', async () => {
  const team = { ...lab, id: 'w-1', name: 'Team', builtIn: false };
  const { user, bridge } = await openPalette({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
    'jobs.list': () => ({ jobs: [bulkJob] }),
    'views.list': () => ({
      views: [{ id: 3, name: 'Red ones', query: 'tlp:red', sort: { by: 'lastSeen', descending: true }, columns: null }],
    }),
  });
  await user.keyboard('team{Enter}');
  await waitFor(() => expect(bridge.inputsOf('workspaces.switch')).toEqual([{ id: 'w-1' }]));
  await user.keyboard('{Control>}k{/Control}night{Escape}dark{Enter}');
  await waitFor(() => expect(bridge.inputsOf('settings.change')).toEqual([{ theme: 'dark' }]));
  await user.keyboard('{Control>}k{/Control}red ones{Enter}');
  await waitFor(() =>
    expect(bridge.inputsOf('library.list')).toContainEqual(
      expect.objectContaining({ terms: [expect.objectContaining({ field: 'tlp' })] }),
    ),
  );
  await user.keyboard('{Control>}k{/Control}job 218{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
});

test('a chosen action is shown and reported, even when the palette has closed before its answer', async () => {
  const team = { ...lab, id: 'w-1', name: 'Team', builtIn: false };
  let values = usedSettings;
  const failures: Failure[] = [];
  const { user } = await openPalette({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
    'workspaces.switch': () => {
      const failure = failures.pop();
      return failure === undefined ? {} : fail(failure);
    },
    'settings.read': () => ({ values, damaged: [] }),
    'settings.change': (change) => ({ values: (values = settingsSchema.parse({ ...values, ...change })) }),
  });
  await user.keyboard('dark{Enter}');
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
  await user.keyboard('{Control>}k{/Control}team{Enter}');
  expect(await screen.findByText('Switched to Team')).toBeDefined();
  failures.push({ kind: 'host-gone' });
  await user.keyboard('{Control>}k{/Control}team{Enter}');
  expect(await screen.findByText(describeFailure({ kind: 'host-gone' }).what)).toBeDefined();
});

test('recently used entries come first, until cleared with the recent look-ups', async () => {
  const { user } = await openPalette();
  await user.keyboard('dark{Enter}');
  await user.keyboard('{Control>}k{/Control}');
  expect(
    within(screen.getByRole('group', { name: 'Recently used' }))
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Dark theme ']);
  expect(
    within(screen.getByRole('group', { name: 'Appearance' })).queryByRole('option', { name: 'Dark theme' }),
  ).toBeNull();
  await user.keyboard('{Escape}');
  await recentLookups.remember({ workspaceId: 'lab', md5, name: 'kept.exe', at: 1 });
  await user.keyboard('{Control>}k{/Control}clear recent{Enter}');
  expect(recentLookups.all).toEqual([]);
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('group', { name: 'Recently used' })).toBeNull();
});

test('the journal is verified from any view, and the result is reported', async () => {
  const { user } = await openPalette();
  await user.keyboard('verify{Enter}');
  expect(await screen.findByText('Journal intact: 0 entries')).toBeDefined();
});

test('host folders are offered when the host can open them, and a failure is reported', async () => {
  const { user } = await openPalette({
    'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, openFolders: true, chooseFolder: true } }),
    'host.openDataFolder': () => fail({ kind: 'no-hash' }),
  });
  await user.keyboard('folder');
  expect(options()).toEqual(expect.arrayContaining(['Open data folder ', 'Choose export folder… ']));
  await user.keyboard('{Escape}data fol{Enter}');
  expect(await screen.findByText(/^Open data folder: /)).toBeDefined();
});

test('the keys of the view open from the palette, and the focus returns to its earlier place', async () => {
  const { user, field: hashField } = await open();
  expect(hashField).toBe(document.activeElement);
  await user.keyboard('{Control>}k{/Control}shortcuts{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(hashField).toBe(document.activeElement));
});

import '../../components/data-grid/layout.fixture.ts';
import { bulkJob, scanJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { known } from '../../features/sample/open-sample.fixture.tsx';
import { keyTablesOf } from '../../keyboard/keys.ts';
import { sidebarViews, settingsNames, settingsSections } from '../../state/navigation.tsx';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { found, host, md5, usedSettings } from '../../test/quiet-host.ts';

/** A host on which much can be done. */
const busy: GivenAnswers = {
  'host.describe': () => ({
    ...host,
    exportFolder: '/exports',
    capabilities: { ...host.capabilities, chooseFolder: true, openFolders: true },
  }),
  'samples.lookup': () => ({ ...found, local: { ...found.local, inVault: true, sha256: 'a'.repeat(64) } }),
  'library.list': () => ({ rows: [rowOf(1)], total: 1, elapsedMs: 1 }),
  'library.count': () => ({ samples: 1, inVault: 1, vaultBytes: 10 }),
  'jobs.list': () => ({ jobs: [bulkJob, scanJob] }),
};

const main = (): HTMLElement => screen.getByRole('main');

/** Their names as a screen reader has them, found another way than the palette finds them. */
function buttonsWithKeys(): string[] {
  const buttons = within(main())
    .queryAllByRole('button')
    .filter(
      (button) =>
        button.matches('[data-letter], [data-look="primary"]') && !button.matches(':disabled, [aria-disabled="true"]'),
    );
  return buttons.map(
    (button) =>
      button.getAttribute('aria-label') ??
      [...button.childNodes]
        .filter((node) => !(node instanceof Element && node.getAttribute('aria-hidden') === 'true'))
        .map((node) => node.textContent)
        .join('')
        .trim(),
  );
}

/** How many there were, so that a test cannot pass over nothing. */
async function expectAllListed(user: UserEvent): Promise<number> {
  const names = buttonsWithKeys();
  await user.keyboard('{Control>}k{/Control}');
  const here = screen.queryByRole('group', { name: 'This view' });
  const listed =
    here === null
      ? []
      : within(here)
          .getAllByRole('option')
          .map((option) => option.querySelector('bdi')?.textContent);
  expect(listed).toEqual(expect.arrayContaining(names));
  await user.keyboard('{Escape}');
  return names.length;
}

test('the palette has every button of every view with a letter or that advances the work', async () => {
  const { user, lookUp } = await open(busy);
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(await expectAllListed(user)).toBeGreaterThan(2);
  let met = 0;
  for (const [at, { title }] of sidebarViews.entries()) {
    await user.keyboard(`{Control>}${at + 1}{/Control}`);
    await screen.findByRole('heading', { level: 1, name: title });
    met += await expectAllListed(user);
  }
  for (const section of settingsSections) {
    await user.keyboard('{Control>}k{/Control}');
    // In one go: each key would draw the whole palette for itself.
    await user.paste(`settings ${settingsNames[section].toLowerCase()}`);
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { level: 2, name: settingsNames[section] });
    met += await expectAllListed(user);
  }
  expect(met).toBeGreaterThan(6);
});

test('every letter of a view is among its keys', async () => {
  const { user, lookUp } = await open(busy);
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  let met = 0;
  for (const [at, { name, title }] of sidebarViews.entries()) {
    await user.keyboard(`{Control>}${at + 1}{/Control}`);
    await screen.findByRole('heading', { level: 1, name: title });
    const keys = keyTablesOf({
      currentView: name,
      publicationsTab: 'updates',
      shownScan: null,
      shownSample: null,
    }).flatMap(({ rows }) => rows.map((row) => row.keys));
    const letters = [...main().querySelectorAll<HTMLElement>('[data-letter]')].map(
      (button) => button.dataset['letter'],
    );
    expect(keys, title).toEqual(expect.arrayContaining(letters));
    met += letters.length;
  }
  expect(met).toBeGreaterThan(10);
});

test('choosing an entry presses its button', async () => {
  const { user, lookUp, bridge } = await open();
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Control>}k{/Control}download');
  expect(
    within(screen.getByRole('group', { name: 'This view' })).getByRole('option', { name: 'Download' }).textContent,
  ).toBe('Download D');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(bridge.inputsOf('downloads.start')).toHaveLength(1));
});

test('a letter shortcut that is switched off is not shown as a key', async () => {
  const { user, lookUp } = await open({
    'settings.read': () => ({ values: { ...usedSettings, singleLetterKeys: false }, damaged: [] }),
  });
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Control>}k{/Control}download');
  expect(
    within(screen.getByRole('group', { name: 'This view' })).getByRole('option', { name: 'Download' }).textContent,
  ).toBe('Download ');
});

const here = (): HTMLElement => screen.getByRole('group', { name: 'This view' });

async function atSampleOfLibrary(answers: GivenAnswers = {}): Promise<UserEvent> {
  const { user } = await open({ ...busy, ...answers });
  await user.keyboard('{Control>}1{/Control}');
  await user.click(await screen.findByText('sample-1.exe'));
  await screen.findByRole('complementary', { name: 'Selected sample' });
  await user.keyboard('{Control>}k{/Control}');
  return user;
}

test('a button with a shortcut other than a letter has it in the palette, also with letters switched off', async () => {
  await atSampleOfLibrary({
    'settings.read': () => ({ values: { ...usedSettings, singleLetterKeys: false }, damaged: [] }),
  });
  expect(within(here()).getByRole('option', { name: 'Open' }).textContent).toBe('Open Enter');
  const forget = within(here()).getByRole('option', { name: 'Forget…' });
  expect(forget.textContent).toBe('Forget… Del');
  expect(forget.getAttribute('aria-keyshortcuts')).toBe('Delete');
});

test('the palette shows and hides the inspector of the library, as Space does', async () => {
  const user = await atSampleOfLibrary();
  await user.keyboard('inspector');
  expect(
    within(here())
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Show or hide the inspector Space']);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Selected sample' })).toBeNull());
  await user.keyboard('{Control>}k{/Control}inspector{Enter}');
  expect(await screen.findByRole('complementary', { name: 'Selected sample' })).toBeDefined();
});

test('the palette finds the TLP control by its name in every view', async () => {
  const user = await atSampleOfLibrary();
  await user.keyboard('set tlp');
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('TLP L');
});

test.for([
  ['rollback', 'Publications: Updates'],
  ['VirusTotal', 'Upload'],
  ['dark mode', 'Dark theme'],
  ['proxy', 'Settings: Workspaces'],
  ['audit', 'Journal'],
  ['hotkeys', 'Settings: Keyboard'],
  ['publicatoins', 'Publications'],
] as const)('“%s” leads to %s', async ([typed, title]) => {
  const { user } = await open(busy);
  await user.keyboard('{Control>}k{/Control}');
  await user.paste(typed);
  expect(screen.getAllByRole('option').map((option) => option.querySelector('bdi')?.textContent)).toContain(title);
});

test.for([
  ['bulkdwn', 'Bulk download'],
  ['lbrary', 'Library'],
  ['jurnal', 'Journal'],
  ['tokn', 'Settings: Tokens'],
  ['purge', 'Settings: Clean up'],
  ['wipe', 'Settings: Clean up'],
  ['erase', 'Settings: Clean up'],
] as const)('“%s” finds %s before the search of the library', async ([typed, title]) => {
  const { user } = await open(busy);
  await user.keyboard('{Control>}k{/Control}');
  await user.paste(typed);
  const titles = screen.getAllByRole('option').map((option) => option.querySelector('bdi')?.textContent);
  expect(titles).toContain(title);
  expect(titles.indexOf(title)).toBeLessThan(titles.indexOf(`Find “${typed}” in the library`));
});

test.for(['emotet', 'downloader', 'ashveil'])('“%s”, which is nothing else, is searched for first', async (typed) => {
  const { user } = await open(busy);
  await user.keyboard('{Control>}k{/Control}');
  await user.paste(typed);
  expect(screen.getAllByRole('option')[0]?.querySelector('bdi')?.textContent).toBe(`Find “${typed}” in the library`);
});

test.for(['purge', 'wipe'])('“%s” finds what forgets the selected samples', async (typed) => {
  const user = await atSampleOfLibrary();
  await user.keyboard(typed);
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('Forget… Del');
});

test('the note of a sample is offered, and its letter goes there', async () => {
  const { user, lookUp } = await open({ ...busy, 'library.sample': () => known });
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await screen.findByRole('textbox', { name: 'Note, in Markdown' });
  await user.keyboard('{Control>}k{/Control}note');
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('Write note W');
  await user.keyboard('{Enter}');
  const field = await screen.findByRole('textbox', { name: 'Note, in Markdown' });
  await waitFor(() => expect(field).toBe(document.activeElement));
  act(() => field.blur());
  await user.keyboard('w');
  await waitFor(() => expect(field).toBe(document.activeElement));
  expect(field).toHaveProperty('value', '');
});

test('“delete” finds what forgets the selected samples', async () => {
  const user = await atSampleOfLibrary();
  await user.keyboard('delete');
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('Forget… Del');
});

test('a recent look-up and a tag are found, and lead to the sample and to the samples with the tag', async () => {
  const { user, lookUp } = await open({
    ...busy,
    'uploads.tags': ({ beginning }) => ({ tags: 'family:update'.includes(beginning) ? ['family:update'] : [] }),
  });
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Control>}k{/Control}');
  await user.paste('update');
  const recent = await screen.findByRole('group', { name: 'Recent look-ups' });
  expect(within(recent).getByRole('option').textContent).toContain('update_helper.dll');
  const tags = await screen.findByRole('group', { name: 'Tags' });
  await user.click(within(tags).getByRole('option', { name: 'Samples with tag family:update' }));
  expect(await screen.findByRole('combobox', { name: 'Search samples' })).toHaveProperty('value', 'tag:family:update');
});

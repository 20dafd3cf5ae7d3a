import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fail } from '../../../../shared/failure.ts';
import { noPackages } from '../../../test/quiet-host.ts';
import { active, candidate, ids, openUpdates, PackageHost, rowOf, waiting } from './package-host.fixture.tsx';

const step = (name: RegExp): Promise<HTMLElement> => screen.findByRole('button', { name });
const packages = (): HTMLElement => screen.getByRole('grid', { name: 'Packages' });
const changes = (): Promise<HTMLElement> => screen.findByRole('treegrid', { name: 'Changes' });
const lines = (): (string | null)[] =>
  within(screen.getByRole('treegrid', { name: 'Changes' }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);
const state = (): string | null =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('|');

test('the install button names the counts listed beside it, and does just that', async () => {
  const { user, bridge } = await openUpdates();
  const update = await step(/^Update to/);
  await waitFor(() => expect(update.textContent).toContain('Update to 2026.11.17 (+2 −1 ~3)'));
  expect(screen.getByRole('heading', { name: '2026.11.10 to 2026.11.17' })).toBeDefined();
  expect(screen.getByText('410 of 411 rules compile')).toBeDefined();
  expect(screen.getByText('405 rules unchanged')).toBeDefined();
  expect(state()).toContain('Update available (checked ');
  await user.click(update);
  expect(await screen.findByRole('heading', { name: '2026.11.17 is active' })).toBeDefined();
  expect(bridge.inputsOf('publications.activate')).toEqual([{ workspaceId: 'lab', sha256: ids.new }]);
  expect(screen.getByText('Updated to 2026.11.17')).toBeDefined();
});

test('the rules are grouped by cause and file, each with its differences in words and numbers', async () => {
  await openUpdates();
  await changes();
  await waitFor(() =>
    expect(lines()).toEqual([
      '1 does not compile, 1 cause',
      'unknown identifier `$s4`mail/tinlark.yar1',
      '!brokentinlark_mailer_v2mail/tinlark.yar, line 41',
      'loader/ashveil.yar2',
      '~changedashveil_config_xorcondition +1+5 −4',
      '+newashveil_overlay_keynew+18',
      'office/quillpost.yar1',
      '~changedquillpost_macro_chainmeta+1 −1',
      'generic/pe.yar1',
      '~changedgeneric_high_entropy_pecondition+2 −6',
      'implant/marrowfox.yar1',
      '+newmarrowfox_signed_agentnew+24',
      'implant/brassmoth.yar1',
      '−removedbrassmoth_beacon_oldremoved−15',
    ]),
  );
});

test('kinds and parts of change filter the rules, and hidden ones are reported', async () => {
  const host = new PackageHost();
  host.rows = [...host.rows, rowOf({ kind: 'changed', name: 'only_moved_blanks', parts: ['layout'] })];
  host.counts = { ...host.counts, changed: 4 };
  const { user } = await openUpdates(host);
  await changes();
  expect(await screen.findByText('7 of 8 listed. Hidden: 1 layout')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show 1 layout-only change' }));
  await waitFor(() => expect(lines()).toContain('~changedonly_moved_blankslayout'));
  expect(screen.getByText('All 8 listed')).toBeDefined();
  await user.click(screen.getByRole('button', { name: /2 new$/ }));
  await waitFor(() => expect(lines()).toHaveLength(4));
  await user.type(screen.getByRole('textbox', { name: /^Find by name/ }), 'nothing like it');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(lines()).toHaveLength(14));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Find by name/ }));
});

test('a group closes and opens by the keys, and its rules are skipped while closed', async () => {
  const { user } = await openUpdates();
  await changes();
  await waitFor(() => expect(lines()).toContain('loader/ashveil.yar2'));
  await user.click(screen.getByText('loader/ashveil.yar'));
  await waitFor(() => expect(lines()).not.toContain('+newashveil_overlay_keynew+18'));
  const head = within(await changes()).getByRole('row', { current: true });
  expect(head.getAttribute('aria-expanded')).toBe('false');
  act(() => head.focus());
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(lines()).toContain('+newashveil_overlay_keynew+18'));
});

test('broken rules are named above the step by file, line and the engine’s message, with a link', async () => {
  const { user } = await openUpdates();
  expect(await screen.findByText('Rule tinlark_mailer_v2 is skipped')).toBeDefined();
  expect(screen.getByText('unknown identifier `$s4`')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show line: mail/tinlark.yar, line 41' }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('tinlark_mailer_v2'));
  expect(within(await changes()).getByRole('row', { current: true }).textContent).toContain('tinlark_mailer_v2');
});

test('many broken rules are named by their causes, and each cause is one press away', async () => {
  const host = new PackageHost();
  host.rows = Array.from({ length: 15 }, (_, line) =>
    rowOf({
      kind: 'broken',
      name: `bad_${line}`,
      broken: {
        rule: `bad_${line}`,
        file: 'a.yar',
        line,
        kind: 'engine',
        text: line < 12 ? 'unknown identifier `x`' : 'duplicate tag `a`',
      },
    }),
  );
  host.counts = { added: 0, removed: 0, changed: 0, moved: 0, broken: 15, same: 409 };
  const { user } = await openUpdates(host);
  expect(await screen.findByText('15 rules or lines do not compile and are skipped')).toBeDefined();
  await waitFor(() => expect(lines()).toHaveLength(3));
  await user.click(screen.getByRole('button', { name: 'Show: duplicate tag `a`' }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('duplicate tag `a`'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(lines()).toHaveLength(6));
});

test('a broken rule is shown with the whole message of the engine', async () => {
  const { user, bridge } = await openUpdates(new PackageHost(), {
    'publications.explain': () => ({
      text: 'error[E009]: unknown identifier `$s4`\n --> line:41:5',
      isCut: false,
      line: 41,
      isRelaxable: true,
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Show line: mail/tinlark.yar, line 41' }));
  expect((await screen.findByLabelText('Engine message')).textContent).toContain('--> line:41:5');
  expect(screen.getByText(/^YARA 4 accepts this regular expression/)).toBeDefined();
  expect(bridge.inputsOf('publications.explain')).toEqual([{ workspaceId: 'lab', sha256: ids.new, number: 3 }]);
});

test('the text of the shown rule has both line numbers, the sign and the changed words', async () => {
  const { bridge } = await openUpdates();
  await changes();
  const text = await screen.findByRole('region', { name: 'Diff of ashveil_config_xor' });
  expect([...text.querySelectorAll('mark')].map(({ textContent }) => textContent)).toContain('?? ??');
  expect(text.textContent).toContain('1214rule ashveil_config_xor');
  expect(text.textContent).toContain('15−    revision = "3"17+    revision = "4"');
  expect(bridge.inputsOf('publications.ruleDifference')).toEqual([
    { workspaceId: 'lab', from: ids.active, to: ids.new, old: 0, new: 0 },
  ]);
});

test('the focus among the changes follows the rule that N and P show', async () => {
  const { user } = await openUpdates();
  const grid = await changes();
  const current = (): Element | null => grid.querySelector('[role=row][aria-current]');
  await waitFor(() => expect(current()).not.toBeNull());
  act(() => grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  const before = document.activeElement?.textContent;
  await user.keyboard('n');
  await waitFor(() => expect(current()?.textContent).not.toBe(before));
  expect(document.activeElement).toBe(current());
  await user.keyboard('p');
  await waitFor(() => expect(document.activeElement?.textContent).toBe(before));
});

test('the keys lead through the packages, their changes and the text, and U takes the step', async () => {
  const { user, bridge } = await openUpdates();
  await changes();
  act(() => within(packages()).getByRole('row', { current: true }).focus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('ashveil_config_xor'));
  await user.keyboard('jjj');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('quillpost_macro_chain'));
  // Before its text is there: what is read is that of this line, and not of the one before.
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Diff of quillpost_macro_chain' })),
  );
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('quillpost_macro_chain');
  await user.keyboard('u');
  await waitFor(() => expect(bridge.inputsOf('publications.activate')).toHaveLength(1));
  await screen.findByRole('heading', { name: '2026.11.17 is active' });
  // The list of changes is gone, with the line that had the focus.
  await waitFor(() => expect(document.activeElement).toBe(within(packages()).getByRole('row', { current: true })));
});

test('a previously active package is one press away, and the toast leads back', async () => {
  const { user, bridge } = await openUpdates();
  await user.click(await screen.findByRole('button', { name: 'Roll back to 2026.11.03' }));
  expect(await screen.findByText('Rolled back to 2026.11.03')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('2026.11.10 is active again')).toBeDefined();
  expect(bridge.inputsOf('publications.activate')).toEqual([
    { workspaceId: 'lab', sha256: ids.older },
    { workspaceId: 'lab', sha256: ids.active },
  ]);
});

test('an older package is marked as a rollback, with the reason of a failure beside it', async () => {
  const { user } = await openUpdates(new PackageHost(), {
    'publications.activate': () => fail({ kind: 'vault-damaged', sha256: ids.older }),
  });
  await changes();
  await user.click(within(packages()).getByText('2026.11.03'));
  const back = await step(/^Roll back to 2026.11.03 \(/);
  await user.click(back);
  expect((await screen.findByRole('alert')).textContent).toContain('vault');
  expect(screen.getByRole('heading', { name: '2026.11.10 to 2026.11.03' })).toBeDefined();
});

test('the step shows the number of new rules when nothing is installed', async () => {
  await openUpdates(new PackageHost({ ...waiting, packages: [candidate], active: null }));
  expect((await step(/^Install/)).textContent).toContain('Install 2026.11.17 (410 rules)');
});

test('a workspace that refuses broken rules reports that, and offers no step', async () => {
  const { user } = await openUpdates(
    new PackageHost({ ...waiting, options: { ...waiting.options, policy: 'refuse-broken' } }),
  );
  expect(await screen.findByText('This workspace does not install broken rules, and this package has 1')).toBeDefined();
  expect((await step(/^Update to/)).hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Update settings…' }));
  expect(await screen.findByRole('dialog', { name: 'Update settings' })).toBeDefined();
});

test('a pinned active package offers no step until it is unpinned', async () => {
  const { user, bridge } = await openUpdates(new PackageHost({ ...waiting, pinned: ids.active }));
  expect(await screen.findByText('2026.11.10 is pinned')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Roll back to 2026.11.03' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Unpin' }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Update to/ }).hasAttribute('disabled')).toBe(false));
  expect(bridge.inputsOf('publications.pin')).toEqual([{ workspaceId: 'lab', sha256: null }]);
});

test('lower versions, other bytes under a version and a contradicting manifest are reported', async () => {
  await openUpdates(
    new PackageHost({
      ...waiting,
      packages: [{ ...candidate, warnings: ['backwards', 'same-version', 'manifest-contradicts'] }, active],
    }),
  );
  expect(await screen.findByText('2026.11.17 is older than the active 2026.11.10')).toBeDefined();
  expect(screen.getByText('2026.11.17 is already active, with different content')).toBeDefined();
  expect(screen.getByText('The manifest does not match this package')).toBeDefined();
});

test('a package that cannot be opened is kept, gives the reason, and is compared with nothing', async () => {
  const unopened = {
    ...candidate,
    sha256: ids.unopened,
    contents: null,
    failure: { kind: 'archive-password', name: 'package' } as const,
  };
  const { bridge } = await openUpdates(
    new PackageHost({ ...waiting, packages: [unopened, active], candidate: ids.unopened }),
  );
  expect(await screen.findByText('Nothing to compare.')).toBeDefined();
  expect(within(packages()).getByText('Cannot be opened')).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('It is stored as received.');
  expect(screen.getByRole('button', { name: 'Update settings…' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Update to/ })).toBeNull();
  expect(bridge.inputsOf('publications.review')).toEqual([]);
});

test('the list requests and draws only visible lines of ten thousand rules of a first package', async () => {
  const host = new PackageHost({ ...waiting, packages: [candidate], active: null });
  host.rows = Array.from({ length: 10_000 }, (_, number) =>
    rowOf({ kind: 'added', name: `rule_${number}`, new: number, addedLines: 3 }),
  );
  host.counts = { added: 10_000, removed: 0, changed: 0, moved: 0, broken: 0, same: 0 };
  const { bridge } = await openUpdates(host);
  await changes();
  await waitFor(() => expect(lines()[1]).toContain('rule_0'));
  expect(lines().length).toBeLessThan(40);
  expect(bridge.inputsOf('publications.review')).toHaveLength(1);
});

test('hostile names are shown as visible text, with no change of text direction', async () => {
  const version = `1.4\u202e${'9'.repeat(300)}`.slice(0, 200);
  await openUpdates(new PackageHost({ ...waiting, packages: [{ ...candidate, version }, active] }));
  const update = await step(/^Update to 1\.4\\u202e9+…9+/);
  expect(update.textContent).not.toContain('\u202e');
});

test('a package is removed after a prompt, and never while it is active', async () => {
  const { user, bridge } = await openUpdates();
  await changes();
  await user.click(within(packages()).getByRole('button', { name: 'More actions for 2026.11.10' }));
  expect((await screen.findByRole('menuitem', { name: /^Remove/ })).getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Escape}');
  await user.click(within(packages()).getByRole('button', { name: 'More actions for 2026.11.03' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Remove/ }));
  await user.click(await screen.findByRole('button', { name: 'Remove package' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.remove')).toEqual([{ workspaceId: 'lab', sha256: ids.older }]),
  );
  expect(await screen.findByText('2026.11.03 removed')).toBeDefined();
});

test('a package is exported in a password ZIP', async () => {
  const { user, bridge } = await openUpdates();
  await changes();
  await user.click(within(packages()).getByRole('button', { name: 'More actions for 2026.11.10' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Export/ }));
  await user.click(await screen.findByRole('button', { name: 'Export as download' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.export')).toMatchObject([
      { workspaceId: 'lab', sha256: ids.active, to: 'browser' },
    ]),
  );
});

test('a failed export of a package is reported after its dialog was left', async () => {
  const answer = Promise.withResolvers<void>();
  const { user } = await openUpdates(new PackageHost(), {
    'publications.export': async () => answer.promise.then(() => fail({ kind: 'data-gone', path: '/data' })),
  });
  await changes();
  await user.click(within(packages()).getByRole('button', { name: 'More actions for 2026.11.10' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Export/ }));
  await user.click(await screen.findByRole('button', { name: 'Export as download' }));
  await user.keyboard('{Escape}');
  await act(async () => answer.resolve());
  expect(await screen.findByText(/^2026.11.10 was not exported: /)).toBeDefined();
});

test('unreadable packages show the reason', async () => {
  await openUpdates(new PackageHost(), {
    'publications.state': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
});

test('a workspace without packages leads to the first one', async () => {
  const { user, bridge } = await openUpdates(new PackageHost(noPackages));
  expect(await screen.findByRole('heading', { name: 'No rules are installed' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]));
});

test('UpdatesTab reports a missing rule editor, and files can still be installed', async () => {
  const { user, bridge } = await openUpdates(new PackageHost({ ...noPackages, hasRuleEditor: false, rulesFrom: null }));
  expect(await screen.findByText(/^No rule editor configured\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  await user.upload(picker('package'), [new File(['rule a { condition: true }'], 'a.yar'), new File(['PK'], 'b.zip')]);
  const files = [
    { stagedId: '1'.padStart(32, '0'), path: 'a.yar' },
    { stagedId: '2'.padStart(32, '0'), path: 'b.zip' },
  ];
  await waitFor(() =>
    expect(bridge.inputsOf('publications.addFiles')).toEqual([
      {
        workspaceId: 'lab',
        list: null,
        files,
        last: { name: 'a.yar and 1 more', version: null, leftOut: 0, links: 0, unread: [] },
      },
    ]),
  );
});

test('rule files of a folder are sent by relative path in calls of a thousand, and others are counted', async () => {
  const { user, bridge } = await openUpdates();
  const inFolder = (path: string): File =>
    Object.defineProperty(new File([''], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path });
  await user.upload(picker('package-folder'), [
    ...Array.from({ length: 1001 }, (_, at) => inFolder(`set/deep/${at}.yar`)),
    inFolder('set/README.md'),
    inFolder('set/a.RULE'),
  ]);
  await waitFor(() => expect(bridge.inputsOf('publications.addFiles')).toHaveLength(2));
  expect(bridge.inputsOf('publications.addFiles')).toMatchObject([
    { list: null, files: expect.arrayContaining([expect.objectContaining({ path: 'deep/7.yar' })]), last: null },
    { list: 'list-1', files: [{}, {}], last: { name: 'set', version: null, leftOut: 1, links: 0, unread: [] } },
  ]);
  expect(JSON.stringify(bridge.inputsOf('publications.addFiles'))).toContain('"path":"a.RULE"');
});

test('a folder without rules is refused at once', async () => {
  const { user, bridge } = await openUpdates();
  await user.upload(picker('package-folder'), [
    Object.defineProperty(new File([''], 'a.md'), 'webkitRelativePath', { value: 'set/a.md' }),
  ]);
  expect((await screen.findByRole('alert')).textContent).toContain('No rule files found');
  expect(bridge.inputsOf('publications.addFiles')).toEqual([]);
});

test('an update that would remove many rules is confirmed by its numbers, or not made', async () => {
  const refused = { kind: 'package-removes-many', version: '2026.11.17', removed: 120, rules: 409 } as const;
  const host = new PackageHost();
  const { user, bridge } = await openUpdates(host, {
    'publications.activate': ({ sha256, removesMany }) =>
      removesMany ? host.change({ active: sha256, candidate: null }) : fail(refused),
  });
  await user.click(await step(/^Update to/));
  expect((await screen.findByRole('dialog')).textContent).toContain('2026.11.17 would remove 120 of 409 rules');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(await step(/^Update to/));
  await user.click(await screen.findByRole('button', { name: 'Install and remove' }));
  expect(await screen.findByRole('heading', { name: '2026.11.17 is active' })).toBeDefined();
  expect(bridge.inputsOf('publications.activate')).toEqual([
    { workspaceId: 'lab', sha256: ids.new },
    { workspaceId: 'lab', sha256: ids.new },
    { workspaceId: 'lab', sha256: ids.new, removesMany: true },
  ]);
});

test('the review counts removed rules, and lists them, when an update removes more than a fifth', async () => {
  const host = new PackageHost();
  host.counts = { ...host.counts, removed: 120 };
  const { user, bridge } = await openUpdates(host);
  expect(await screen.findByText('2026.11.17 would remove 120 of 409 rules')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show 120 rules' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.review').at(-1)).toMatchObject({ query: { of: 'removed' } }),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show 120 rules' })).toBeNull());
});

test('skipped and converted files are listed with their source, and a button converts a guess again', async () => {
  const reading = { leftOut: 312, links: 1, utf16: 2, utf16Unmarked: 0, latin1: 3, bareReturns: 0 };
  const { user, bridge } = await openUpdates(
    new PackageHost({
      ...waiting,
      packages: [
        { ...candidate, source: 'file', fileName: 'community', contents: { files: 5, rules: 410, broken: 1, reading } },
        active,
      ],
    }),
  );
  expect(
    await screen.findByText('312 other files skipped, 1 link not followed, 2 files converted from UTF-16'),
  ).toBeDefined();
  expect(screen.getByText('from community')).toBeDefined();
  expect(screen.getByText('Not UTF-8: 3 files in Latin-1')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Convert to UTF-8' }));
  await waitFor(() =>
    expect(bridge.inputsOf('publications.convert')).toEqual([{ workspaceId: 'lab', sha256: ids.new }]),
  );
});

function picker(which: string): HTMLInputElement {
  return document.querySelector<HTMLInputElement>(`[data-picker=${which}]`) ?? expect.fail('no picker');
}

import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { startRuleEditor } from '../faults/rule-editor.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { activePackage, waitingPackage } from '../package-pointers.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { startProgram } from '../program.ts';
import { packed, ruleText } from '../rule-package.ts';
import { useRulesTeam } from '../rules-workspace.ts';
import { type RulesTeam, startRulesTeam } from '../team.ts';

/** Words of the starter rules, which lie nowhere as they are. */
const wordsOfRules = ['rule glasswing_stub', 'rule shortcut_to_script', 'windows_executable and $mark at 0x200'];

/** Check, preview, update, and back: the purpose of the whole view. */
async function walkForwardAndBack(vitrine: Vitrine, team: RulesTeam, publications: PublicationsPage): Promise<void> {
  await publications.check();
  await publications.step('Install 2026.11.10 (15 rules)').click();
  await publications.activeVersion('2026.11.10');
  const older = activePackage(vitrine);
  expect(older).toMatch(/^[0-9a-f]{64}$/);

  await publications.includeTest();
  await publications.check();
  await expect(publications.compare).toContainText('2026.11.10 to 2026.11.17');
  await expect(publications.change('glasswing_stub')).toContainText('meta');
  await expect(publications.change('high_entropy')).toContainText('condition');
  await expect(publications.change('powershell_encoded_command')).toContainText('strings');
  await expect(publications.changes.locator('[data-kind=row]')).toHaveCount(6);
  await publications.step('Update to 2026.11.17 (+2 −1 ~3)').click();
  await publications.activeVersion('2026.11.17');
  const newer = activePackage(vitrine);
  expect(newer).not.toBe(older);

  await team.stop();
  await publications.packages.getByRole('button', { name: 'Roll back to 2026.11.10' }).click();
  await publications.activeVersion('2026.11.10');
  expect(activePackage(vitrine)).toBe(older);
  await publications.open('Rules');
  await expect(publications.rule('shortcut_to_script')).toBeVisible();
  expect(await filesHolding(vitrine.folder, ...wordsOfRules)).toEqual([]);
}

test('check, preview (+2 −1 ~3), update and offline rollback work, and no rule is on disk as plain text', async ({
  vitrine,
}) => {
  const team = await startRulesTeam(join(vitrine.folder, 'team-lab'));
  await walkForwardAndBack(vitrine, team, await useRulesTeam(vitrine, team));
});

test(
  'check, preview, update and rollback work with a rule editor in the field dialect',
  { tag: '@long' },
  async ({ vitrine }) => {
    const team = await startRulesTeam(join(vitrine.folder, 'team-lab'), { names: 'other' });
    await walkForwardAndBack(vitrine, team, await useRulesTeam(vitrine, team));
    expect(team.calls.filter((call) => call.startsWith('GET /uploads/'))).toHaveLength(2);
  },
);

test(
  'an unreadable reply is shown, and the check succeeds once its fields are mapped',
  { tag: '@long' },
  async ({ vitrine }) => {
    const team = await startRulesTeam(join(vitrine.folder, 'team-lab'), { names: 'unmapped' });
    const publications = await useRulesTeam(vitrine, team);
    await publications.check();
    await vitrine.page.getByRole('button', { name: 'Show reply' }).click();
    await publications.dialog.getByLabel('Update available').selectOption({ label: '/pkg/stale: 1' });
    await publications.dialog.getByLabel('Newest version').selectOption({ label: '/pkg/rev: 2026.11.10' });
    await publications.dialog.getByLabel('Publication ID').selectOption({ label: '/pkg/ref: 1' });
    await publications.dialog.getByRole('button', { name: 'Save and check again' }).click();
    await publications.step('Install 2026.11.10 (15 rules)').click();
    await publications.activeVersion('2026.11.10');
    await team.stop();
  },
);

const withRules = test.extend({ beginsWith: 'rules' });

withRules(
  'a rule of one’s own goes the whole circle on one desk: published, found, compared, installed, muted',
  { tag: '@long' },
  async ({ vitrine }) => {
    const publications = new PublicationsPage(vitrine.page);
    await publications.publish(
      [{ name: 'mine.yar', text: `${ruleText('my_own')}rule broken { condition: $nothing }` }],
      '2026.12.1',
    );
    await expect(vitrine.page.getByText('Nothing was published: 1 rule is broken')).toBeVisible();
    await publications.publish([{ name: 'mine.yar', text: ruleText('my_own') }], '2026.12.1');
    await expect(vitrine.page.getByText('2026.12.1 published as Release')).toBeVisible();

    await publications.open();
    await publications.check();
    await publications.step('Update to 2026.12.1 (+1 −15 ~0)').click();
    await publications.confirmRemoval();
    await publications.activeVersion('2026.12.1');
    await publications.open('Rules');
    await publications.rule('my_own').click();
    await vitrine.page.getByRole('button', { name: 'Mute my_own' }).click();
    await publications.dialog.getByLabel('Reason').fill('known here');
    await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await publications.open('Mutes');
    await expect(vitrine.page.getByRole('grid', { name: 'Mutes' })).toContainText('known here');
  },
);

test(
  'one broken rule of a hundred is named by file, line and engine message, and the others are installed',
  { tag: '@long' },
  async ({ vitrine }) => {
    const editor = await startRuleEditor();
    const rules = Array.from({ length: 99 }, (_, index) => ruleText(`rule_${index}`));
    rules.splice(40, 0, 'rule broken {\n  condition:\n    $missing\n}\n');
    editor.publish('1.4', await packed({ 'mail/all.yar': rules.join('') }, { version: '1.4' }));
    const publications = await useRulesTeam(vitrine, { baseUrl: editor.baseUrl, token: 'a-token-of-this-team' });
    await publications.check();
    await expect(publications.compare).toContainText('99 of 100 rules compile');
    await expect(publications.compare).toContainText('mail/all.yar, line 323: unknown pattern `$missing`');
    await publications.step('Install 1.4 (99 rules)').click();
    await publications.activeVersion('1.4');
    await editor.close();
  },
);

test(
  'a package file is exported as a password ZIP and installed where no rule editor is configured',
  { tag: '@long' },
  async ({ vitrine }) => {
    const publications = new PublicationsPage(vitrine.page);
    await publications.open();
    await publications.openFile(
      'from-elsewhere.zip',
      await packed({ 'a.yar': ruleText('carried') }, { version: '7.1', password: 'infected' }),
    );
    await publications.step('Install 7.1 (1 rule)').click();
    await publications.activeVersion('7.1');
    await publications.menu('7.1', 'Export…');
    await publications.dialog.getByRole('button', { name: 'Export to folder' }).click();
    await expect(vitrine.page.getByText(/Exported rules-Release-7\.1-[0-9a-f]{12}\.zip to/)).toBeVisible();
    expect(await filesHolding(vitrine.folder, 'rule carried')).toEqual([]);
  },
);

withRules(
  'a host killed during an update uses a complete package after the restart, the old or the new one',
  { tag: '@long' },
  async ({ vitrine }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'kills the host and opens its new link');
    const publications = new PublicationsPage(vitrine.page);
    await publications.publish([{ name: 'mine.yar', text: ruleText('my_own') }], '2026.12.1');
    await expect(vitrine.page.getByText('2026.12.1 published as Release')).toBeVisible();
    await publications.open();
    await publications.askAgain();
    await expect(publications.step('Update to 2026.12.1 (+1 −15 ~0)')).toBeEnabled();
    const packages = new Map([
      [activePackage(vitrine), 'shortcut_to_script'],
      [waitingPackage(vitrine), 'my_own'],
    ]);
    await publications.step('Update to 2026.12.1 (+1 −15 ~0)').click();
    await publications.confirmRemoval();
    await vitrine.program?.stop('SIGKILL');
    const active = activePackage(vitrine);
    const rule = packages.get(active);
    expect(rule, `${active} in use`).toBeDefined();

    const again = startProgram(
      'electron/web.ts',
      ['--port', '0', '--data', vitrine.dataDirectory, '--exports', vitrine.exportFolder, '--no-open'],
      { TMPDIR: join(vitrine.folder, 'temp') },
    );
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await vitrine.page.goto(link);
    await publications.open('Rules');
    await expect(publications.rule(rule ?? '')).toBeVisible();
    expect(activePackage(vitrine)).toBe(active);
    await again.stop();
  },
);

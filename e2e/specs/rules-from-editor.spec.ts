import { expect, test } from '../fixtures.ts';
import { type KeptFile, startRulesDialect } from '../faults/rules-dialect.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { workIn } from '../workspace.ts';

const rule = (name: string, word: string): string =>
  `/*\nof ${name}\n*/\nrule ${name} : loader\n{\n    strings:\n        $a = "${word}"\n    condition:\n        $a\n}\n`;
const uses = `rule uses_loader\n{\n    condition:\n        first_loader\n}\n`;
const file = (id: number, name: string, rules: string[], modified: string): KeptFile => ({
  id,
  name,
  imports: ['pe'],
  rules,
  modified: `2026-11-30 ${modified}`,
});

test('the files of a rule editor without publications are fetched, reviewed, installed and scanned with', async ({
  vitrine,
}) => {
  // What uses another rule was changed last, and comes above it.
  const families = file(1, 'Families', [uses, rule('first_loader', 'glasswing')], '03:23:33');
  const kept = [families, file(2, 'Empty', [], '03:00:00'), file(3, 'Others/old', [rule('other', 'word')], '04:00:00')];
  const editor = await startRulesDialect({ target: '', kept });
  const place = { repository: editor.baseUrl, ruleEditor: editor.baseUrl, token: 'a-token-of-this-team' };
  const id = await workIn(vitrine, { name: 'Team', ...place });
  const { page } = vitrine;
  const [publications, scan] = [new PublicationsPage(page), new ScanPage(page)];

  // Nothing is known of it yet: the first check finds out what it can do.
  await publications.open();
  await expect(page.getByText('Check now” fetches and compiles the newest publication')).toBeVisible();
  await vitrine.call('servers.findActions', { workspaceId: id });
  await expect(page.getByText(/has no publications\. Its files of rules can be fetched as a package\./)).toBeVisible();
  await expect(page.getByText('No publication groups')).toBeVisible();
  await page.getByRole('button', { name: 'Fetch files' }).click();
  await expect(publications.compare).toContainText('exported from the rule editor, 2 files');
  await expect(publications.compare).toContainText('all 3 rules compile');
  await expect(publications.compare).toContainText('1 file without rules skipped: Empty');
  await publications.step('Install 2026-11-30 04:00:00 (3 rules)').click();
  await publications.activeVersion('2026-11-30 04:00:00');

  // Only sorted otherwise.
  kept[0] = { ...families, rules: families.rules.toReversed(), modified: '2026-11-30 05:00:00' };
  await publications.askAgain();
  await expect
    .poll(async () => (await vitrine.call('publications.state', { workspaceId: id })).lastCheck?.outcome)
    .toBe('up-to-date');
  await expect(page.getByText(/^No changes \(checked/)).toBeVisible();

  kept[0] = {
    ...families,
    rules: [...families.rules, rule('second_loader', 'heron')],
    modified: '2026-11-30 06:00:00',
  };
  await publications.askAgain();
  await expect(page.getByText(/^Changes available \(checked/)).toBeVisible();
  await expect(publications.change('second_loader')).toBeVisible();
  await publications.step('Update to 2026-11-30 06:00:00 (+1 −0 ~0)').click();
  await publications.activeVersion('2026-11-30 06:00:00');

  await scan.open();
  await expect(page.getByText('This rule editor does not scan files.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^(?:Rule editor|Both)/ })).toHaveCount(0);
  await scan.pick([{ name: 'sample.txt', bytes: Buffer.from('a glasswing and a heron') }]);
  await scan.scan();
  for (const name of ['first_loader', 'second_loader', 'uses_loader'])
    await expect(scan.hits.getByRole('row').filter({ hasText: name })).toBeVisible();

  expect(editor.calls.filter((call) => /scanfile|downloadpublication/.test(call) && call.startsWith('POST'))).toEqual(
    [],
  );
  await editor.close();
});

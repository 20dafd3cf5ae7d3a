import { expect, test } from '../fixtures.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { packed } from '../rule-package.ts';

const rules = `rule numbered { condition: extension matches /^\\.[0-9]+$/ }
rule number { condition: filename == "1234" }
rule truth { condition: filename == "true" }
rule outside { condition: not filepath contains "System32" and filename == "true" }
rule of_site { condition: site == "1234" }
`;
const names = ['dump.001', '1234', 'lib.so.6', 'python3.11', 'true'];

test('rules may use names that look like numbers and workspace variables; unknown variables are reported', async ({
  vitrine,
}) => {
  const { page } = vitrine;
  const publications = new PublicationsPage(page);
  await publications.open();
  await publications.openFile('own.zip', await packed({ 'own.yar': rules }, { version: '9.1' }));
  await expect(publications.change('of_site')).toContainText('!');
  await publications.set(async (dialog) => {
    const field = dialog.getByRole('textbox', { name: 'Variables for rules' });
    await field.fill('site = "1234"\n1st = 5');
    await expect(dialog.getByText('Line 2:')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await field.fill('site = "1234"');
  });
  await expect(publications.change('of_site')).toContainText('+');
  await expect(publications.change('outside')).toContainText('uses filename, filepath');
  await publications.step(/^Install 9\.1/).click();
  await publications.activeVersion('9.1');
  await publications.open('Rules');
  await expect(publications.rule('numbered')).toContainText('uses extension');

  const scans = new ScanPage(page);
  await scans.startOver();
  await scans.pick(names.map((name) => ({ name, bytes: Buffer.from(`the bytes of ${name}`) })));
  await scans.with('Local');
  await scans.scan();
  const found = {
    'dump.001': 'numbered',
    1234: 'number',
    'lib.so.6': 'numbered',
    'python3.11': 'numbered',
    true: 'truth',
  };
  for (const [name, rule] of Object.entries(found))
    await expect(scans.files.getByRole('row').filter({ hasText: name })).toContainText(rule);
  const unsure = page.getByText('Results of some rules may be wrong');
  if (vitrine.program === null) {
    // In a window a file has its path, so no variable is unknown.
    await expect(scans.files.getByRole('row').filter({ hasText: 'outside' })).toHaveCount(1);
    await expect(unsure).toHaveCount(0);
  } else {
    await unsure.click();
    await expect(
      page.getByText(/^1 rule uses filepath, unknown for uploaded files\. Their results may be wrong\./),
    ).toBeVisible();
  }
});

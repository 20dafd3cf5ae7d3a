import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { pickFiles } from '../picked-files.ts';
import { packed, ruleText } from '../rule-package.ts';
import { startRuleEditor } from '../faults/rule-editor.ts';
import { workIn } from '../workspace.ts';

test('a folder, files and a ZIP are packages with a preview, and one that removes many rules is confirmed', async ({
  vitrine,
}) => {
  const editor = await startRuleEditor();
  await workIn(vitrine, {
    name: 'Team',
    repository: editor.baseUrl,
    ruleEditor: editor.baseUrl,
    token: 'a-token-of-this-team',
  });
  const publications = new PublicationsPage(vitrine.page);
  await publications.open();
  const folder = join(vitrine.folder, 'community');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'index.yar'), ruleText('one') + ruleText('two'));
  await writeFile(join(folder, 'deep', 'more.RULE'), Buffer.from(`\ufeff${ruleText('three')}`, 'utf16le'));
  await writeFile(
    join(folder, 'deep', 'latin.yar'),
    Buffer.from(`rule latin {\n meta: by = "Ren\xe9"\n condition: true\n}\n`, 'latin1'),
  );
  await writeFile(join(folder, 'README.md'), 'words');
  await symlink('/etc/hostname', join(folder, 'README.txt'));
  await vitrine.page.locator('[data-picker=package-folder]').setInputFiles(folder);
  await expect(publications.compare).toContainText('from community');
  await expect(publications.compare).toContainText('converted from UTF-16');
  await expect(publications.compare).toContainText('skipped');
  await expect(publications.compare).toContainText('Not UTF-8: 1 file in Latin-1');
  await publications.compare.getByRole('button', { name: 'Convert to UTF-8' }).click();
  await publications.step(/^Install community.* \(4 rules\)$/).click();
  await publications.package('community').getByText('Active', { exact: true }).waitFor();

  await pickFiles(
    vitrine.page.locator('[data-picker=package]'),
    { name: 'own.yar', bytes: ruleText('one') },
    { name: 'others.zip', bytes: await packed({ './two.yar': ruleText('two') }, { version: '1', isBare: true }) },
  );
  await publications.step(/^Update to own\.yar.*\(\+0 −2 ~0\)$/).click();
  await expect(publications.dialog).toContainText('would remove 2 of 4 rules');
  await publications.dialog.getByRole('button', { name: 'Cancel' }).click();
  await publications.package('community').getByText('Active', { exact: true }).waitFor();
  await publications.step(/^Update to own\.yar/).click();
  await publications.confirmRemoval();
  await publications.package('own.yar').getByText('Active', { exact: true }).waitFor();
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { largeUpdate } from '../large-update.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { packed, ruleText } from '../rule-package.ts';

test(
  'an update with 540 changed rules is filtered, searched, tried and installed by keyboard',
  { tag: '@long' },
  async ({ vitrine }) => {
    test.setTimeout(400_000);
    const { page } = vitrine;
    const { keyboard } = page;
    const { older, newer } = await largeUpdate();
    const publications = new PublicationsPage(page);
    const { changes, compare } = publications;
    const current = changes.locator('[role=row][aria-current]');
    const chip = (name: RegExp) => page.getByRole('button', { name });
    await publications.open();
    await publications.openFile('older.zip', older);
    await publications.step(/^Install 2026\.11\.10/).click({ timeout: 90_000 });
    await publications.activeVersion('2026.11.10');
    await publications.openFile('newer.zip', newer);
    await expect(publications.step('Update to 2026.11.24 (+61 −30 ~540)')).toBeVisible({ timeout: 90_000 });

    // What is hidden is named, and one line represents it.
    await expect(page.getByText('606 of 761 listed. Hidden: 155 layout')).toBeVisible();
    await expect(changes.getByRole('row').nth(0)).toContainText('130 do not compile, 4 causes');
    await expect(publications.change('Needs module androguard')).toContainText('122');
    await expect(publications.change('Rejected in strict mode, accepted by YARA')).toContainText(
      'accepted in relaxed mode',
    );
    await expect(publications.change('Needs the broken rule android_3')).toContainText('1');

    await chip(/^171 meta$/).click();
    await chip(/^96 strings$/).click();
    await expect(page.getByText('339 of 761 listed. Hidden: 96 strings, 171 meta, 155 layout')).toBeVisible();
    await chip(/540 changed$/).click();
    await expect(page.getByText('118 of 761 listed. Hidden: 96 strings, 171 meta, 155 layout')).toBeVisible();
    // A name is read whole.
    await expect(
      publications.change('family_0_loader_with_a_decoded_configuration_block_in_its_overlay_0'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Show 155 layout-only changes' }).click();

    // Where only the blanks changed, they can be seen.
    await keyboard.press('/');
    await keyboard.type('overlay_400');
    await expect(current).toContainText('overlay_400');
    await expect(compare.locator('[data-source] span[class*=tab]').first()).toBeVisible();

    // The engine's own words for one broken rule.
    await keyboard.press('Escape');
    await chip(/130 broken$/).click();
    await publications.change('Rejected in strict mode').click();
    await publications.change('escape_2').click();
    await expect(page.getByLabel('Engine message')).toContainText('--> line:18:22');
    await expect(compare).toContainText('Turn on relaxed regular expressions to use it here.');

    // Relaxed, they compile.
    await publications.set(async (dialog) => dialog.getByText(/^Relaxed regular expressions/).click());
    await expect(publications.step('Update to 2026.11.24 (+65 −30 ~540)')).toBeVisible({ timeout: 90_000 });

    const folder = await mkdtemp(join(tmpdir(), 'vitrine-good-'));
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'plain.txt'), 'nothing');
    await writeFile(join(folder, 'inner', 'report.txt'), 'has fresh mark 7 in it');
    await page.locator('[data-picker=trial-folder]').setInputFiles(folder);
    const trial = page.locator('[data-trial]');
    await expect(trial.getByRole('row', { name: /fresh_7/ })).toContainText('report.txt', { timeout: 90_000 });
    await expect(trial).toContainText('2 of 2 files scanned');
    await rm(folder, { recursive: true });

    await page.getByRole('button', { name: 'Export diff…' }).click();
    await page.getByRole('menuitem', { name: 'Patch' }).click();
    await expect(publications.dialog).toContainText('A unified diff for git apply');
    await publications.dialog
      .getByRole('button', { name: /^Export/ })
      .last()
      .click();
    await expect(page.getByText(/rules-2026\.11\.10-to-2026\.11\.24\.zip/).first()).toBeVisible();
  },
);

test('a changed letter in a rule line of 600 characters is marked, and in sight at once', async ({ vitrine }) => {
  const { page } = vitrine;
  const publications = new PublicationsPage(page);
  const word = (letter: string): string => `${'aB3'.repeat(160)}${letter}${'xY7'.repeat(40)}`;
  const files = (letter: string) => ({ 'long.yar': ruleText('long_word', word(letter)) });
  await publications.open();
  await publications.openFile('older.zip', await packed(files('Q'), { version: '2026.11.10' }));
  await publications.step(/^Install 2026\.11\.10/).click();
  await publications.activeVersion('2026.11.10');
  await publications.openFile('newer.zip', await packed(files('Z'), { version: '2026.11.24' }));
  await publications.change('long_word').click();
  const marks = publications.compare.locator('mark');
  await expect(marks).toHaveText(['Q', 'Z']);
  await expect(marks.first()).toBeInViewport();
  await expect(marks.last()).toBeInViewport();
});

import { expect, test } from '../fixtures.ts';
import { PublicationsPage } from '../pages/publications-page.ts';

const withRules = test.extend({ beginsWith: 'rules' });

withRules(
  'rules are searched by fields, and a rule is tried over the vault by the keyboard without a hit being recorded',
  async ({ vitrine: { page } }) => {
    const publications = new PublicationsPage(page);
    await publications.open('Rules');
    const field = page.getByRole('textbox', { name: 'Search rules by words or fields' });
    await field.fill('name:glasswing hits:0');
    await expect(publications.rules.getByRole('row').filter({ hasText: '.yar' })).toHaveCount(1);
    await field.fill('nmae:glasswing');
    await expect(page.getByText('Unknown field “nmae:”. Did you mean “name:”?')).toBeVisible();
    await field.fill('name:glasswing');
    await expect(
      page.getByRole('region', { name: 'Rule glasswing_stub' }).getByText('No hits on this computer'),
    ).toBeVisible();
    await field.press('ArrowDown');
    await page.keyboard.press('y');
    const editor = page.getByRole('textbox', { name: 'Rules to try' });
    await editor.fill('rule tried {\n  strings:\n    $mz = "MZ"\n  condition:\n    $mz at 0 or nothing\n}');
    await expect(page.getByText(/unknown identifier `nothing`/)).toBeVisible();
    await editor.fill('rule tried {\n  strings:\n    $mz = "MZ"\n  condition:\n    $mz at 0\n}');
    await expect(page.getByText(/^1 rule compiled/)).toBeVisible();
    await editor.press('Control+Enter');
    const results = page.getByRole('region', { name: 'Trial results' });
    await expect(results.getByText(/^\d+ samples? hit of [1-9]\d* scanned$/)).toBeVisible();
    await expect(results.getByText('tried').first()).toBeVisible();
    await page.getByRole('button', { name: 'Back to rules' }).click();
    await expect(page.getByText('No hits on this computer')).toBeVisible();
  },
);

withRules(
  'the costs of the rules are measured and stored, and the list stays sorted by them when the page is opened again',
  async ({ vitrine: { page } }) => {
    const publications = new PublicationsPage(page);
    await publications.open('Rules');
    await page.getByRole('button', { name: 'Measure cost of all rules' }).click();
    const costs = page.getByRole('group', { name: 'Rule costs' });
    await costs.getByRole('button', { name: 'Show the slowest' }).click({ timeout: 120_000 });
    await expect(page.getByRole('columnheader', { name: 'ms/MB' })).toHaveAttribute('aria-sort', 'descending');
    await page.getByRole('textbox', { name: 'Search rules by words or fields' }).fill('-cost:* -is:private');
    await expect(page.getByText('No rules found')).toBeVisible();
    await page.reload();
    await publications.open('Rules');
    await expect(page.getByRole('columnheader', { name: 'ms/MB' })).toHaveAttribute('aria-sort', 'descending');
    await expect(page.getByText(/^measured .* alone, over [1-9]\d* samples/)).toBeVisible();
  },
);

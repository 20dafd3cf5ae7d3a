import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';

test(
  'malformed pasted text and malformed replies are reported as such',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    await test.step('text of a service is shown as text and never as markup', async () => {
      const dialogs: string[] = [];
      vitrine.page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      for (const button of await vitrine.page.getByRole('table').getByRole('button').all()) {
        await button.click();
        await expect(vitrine.page.getByText('looked up by this hash')).toBeVisible();
        await expect(
          vitrine.page.locator('.sample script, [data-pane] script, [data-pane] iframe, [data-pane] a[href^="http"]'),
        ).toHaveCount(0);
        await lookup.field.fill('');
        await lookup.field.press('Enter');
      }
      expect(dialogs).toEqual([]);
    });
    await test.step('text without a hash, and a hash of the wrong length, are named in place', async () => {
      await lookup.ask('no hash in here');
      await expect(lookup.alert).toContainText('No hash found in this text');
      await lookup.ask(eicarMd5.slice(1));
      await expect(lookup.alert).toContainText('31 hexadecimal characters');
    });
    await test.step('several hashes in a text are offered, and the rejected ones are counted', async () => {
      await lookup.ask(
        `${eicarMd5} and 2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6 and ${eicarMd5}` +
          eicarMd5.slice(0, 7),
      );
      await expect(vitrine.page.getByText('2 hashes from pasted text')).toBeVisible();
      await expect(vitrine.page.getByText(/39 hex digits/)).toBeVisible();
      await vitrine.page.getByRole('row', { name: /eicar.com/ }).dblclick();
      await expect(lookup.sample('eicar.com')).toBeVisible();
    });
    await test.step('an unknown MD5 and a SHA-256 unknown on this computer have different answers', async () => {
      await lookup.ask('8277e0910d750195b448797616e091ad');
      await expect(lookup.alert).toContainText('does not know this hash');
      await lookup.ask('2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6');
      await expect(lookup.alert).toContainText('needs an MD5');
    });
  },
);

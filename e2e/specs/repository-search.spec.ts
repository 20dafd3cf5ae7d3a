import { createHash } from 'node:crypto';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { startFieldDialect } from '../faults/field-dialect.ts';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { workIn } from '../workspace.ts';

test('a sample of a repository that can be searched is found from the library and looked up', async ({
  vitrine,
  lookup,
  field,
}) => {
  const dialect = await startFieldDialect({ target: field.labUrl, release: { md5s: [eicarMd5] } });
  try {
    const { page } = vitrine;
    await workIn(vitrine, { name: 'Team', repository: dialect.baseUrl, token: field.token });
    const library = new LibraryPage(page);
    await library.open();
    await page.getByRole('button', { name: 'Find out whether the repository can be searched' }).click();
    await page.getByRole('button', { name: 'Also at the repository' }).click();
    const searches = (): string[] => dialect.calls.filter((call) => call === 'GET getfiles');
    const asked = searches().length;
    await page.keyboard.type('eicar');
    expect(searches()).toHaveLength(asked);
    await page.keyboard.press('Enter');
    const found = page.getByRole('grid', { name: 'Samples at the repository' }).getByRole('row', { name: /eicar/ });
    await expect(found).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await library.open();
    await expect(found).toContainText('In library');
    // Nothing but the search knows this SHA-256 here before the look-up: the library has it by now.
    await lookup.open();
    await lookup.ask(eicarSha256);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    expect(dialect.calls.filter((call) => call.endsWith('addcomment') && call.startsWith('POST'))).toEqual([]);
  } finally {
    await dialect.close();
  }
});

test('a SHA-256 that is not known here is looked up where the repository can be searched', async ({
  vitrine,
  lookup,
  settings,
  field,
}) => {
  const dialect = await startFieldDialect({ target: field.labUrl, release: { md5s: [eicarMd5] } });
  try {
    await settings.addWorkspace({ name: 'Team', repository: dialect.baseUrl, token: field.token });
    await settings.switchTo('Team');
    const listed = await vitrine.call('workspaces.list', {});
    const id = listed.workspaces.find(({ name }) => name === 'Team')?.id ?? '';
    await lookup.open();
    await lookup.ask(eicarSha256);
    await expect(vitrine.page.getByText('This repository needs an MD5')).toBeVisible();
    await vitrine.call('servers.findActions', { workspaceId: id });
    await lookup.ask(eicarSha256);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await lookup.ask(createHash('sha256').update('a sample of nobody').digest('hex'));
    await expect(vitrine.page.getByText('The repository does not know this hash')).toBeVisible();
  } finally {
    await dialect.close();
  }
});

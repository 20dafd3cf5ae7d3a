import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { startTeam } from '../team.ts';
import { workIn } from '../workspace.ts';

const bytes = Buffer.from('MZ, uploaded by a colleague');
const md5 = createHash('md5').update(bytes).digest('hex');

test('a query of the library finds what a colleague uploaded to the team, and opens it', async ({
  vitrine,
  lookup,
}) => {
  test.skip(process.env.VITRINE_TEAM_SERVERS === undefined, 'a lab over a folder takes no query: run with --team-lab');
  const { page } = vitrine;
  const team = await startTeam(join(vitrine.folder, 'team-lab'), { samples: 3 });
  await workIn(vitrine, { name: 'Team', repository: team.baseUrl, token: team.token });
  const searches = (): unknown[] => team.faults.requests.filter(({ action }) => action === 'searchfiles');
  await uploadAsColleague(team.labUrl, await team.makeToken('upload'));

  const library = new LibraryPage(page);
  await library.open();
  await page.getByRole('button', { name: 'Find out whether the repository can be searched' }).click();
  const pane = page.getByRole('region', { name: 'Also at the repository' });
  await pane.getByRole('button', { name: 'Also at the repository' }).click();
  const asked = searches().length;
  await library.query.fill('tag:from:colleague name:dropper');
  await expect(pane.getByText('Sends the query above, newest first.')).toBeVisible();
  expect(searches()).toHaveLength(asked);
  await pane.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(pane.getByText('1 sample at the repository, none of them here')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(lookup.sample('dropper.exe')).toBeVisible();

  await library.open();
  await expect(pane.getByText('1 sample at the repository, 1 of them here')).toBeVisible();
  expect(searches()).toHaveLength(asked + 1);
  await library.query.fill('note:secret');
  await pane.getByRole('button', { name: 'Search again' }).click();
  await expect(pane.getByRole('alert')).toContainText('The team lab cannot search “note:”.');
});

/** Past this computer's Vitrine. */
async function uploadAsColleague(labUrl: string, token: string): Promise<void> {
  const form = new FormData();
  form.append('files[]', new Blob([bytes]), 'dropper.exe');
  form.append('tags[]', 'from:colleague');
  const response = await fetch(`${labUrl}/api.php?action=uploadfiles&token=${token}`, { method: 'POST', body: form });
  expect(await response.text()).toContain(md5);
}

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { type CuttableNetwork, startCuttableNetwork } from '../faults/cuttable-network.ts';
import { startRulesDialect } from '../faults/rules-dialect.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { recordOf } from '../lab-reading.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { pickFiles } from '../picked-files.ts';
import { installNewest } from '../stocked-host.ts';
import { type FieldServer, startFieldServer } from '../team.ts';
import { workIn } from '../workspace.ts';

interface Away {
  /** Of the workspace. */
  id: string;
  field: FieldServer;
  /** Both services of the workspace are gone, or there again. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

/** A workspace of a team in the field, one sample of which is in the vault; its network can be taken away. */
async function useTeamThatCanGo(vitrine: Vitrine): Promise<Away> {
  const field = await startFieldServer(join(vitrine.folder, 'team-lab'));
  const token = await field.makeToken('read,download,upload,comment');
  const rules = await startRulesDialect({ target: field.labUrl.replace(/repository$/, 'rules'), names: 'other' });
  const ways: CuttableNetwork[] = [
    await startCuttableNetwork(field.baseUrl),
    await startCuttableNetwork(rules.baseUrl),
  ];
  const [repository, ruleEditor] = ways;
  const id = await workIn(vitrine, {
    name: 'Team',
    repository: repository?.baseUrl ?? '',
    ruleEditor: ruleEditor?.baseUrl ?? '',
    token,
  });
  const cut = async (): Promise<void> => void (await Promise.all(ways.map((way) => way.cut())));
  return {
    id,
    field,
    cut,
    mend: async () => void (await Promise.all(ways.map((way) => way.mend()))),
    stop: async () => void (await Promise.all([cut(), rules.close(), field.stop()])),
  };
}

async function keepEicar({ page }: Vitrine): Promise<void> {
  const lookup = new LookupPage(page);
  await lookup.open();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await lookup.download();
}

const statusBar = (page: Page) => page.getByRole('contentinfo', { name: 'Status' });

test(
  'each action that needs a service shows an error while the network is down, and continues afterwards',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { page } = vitrine;
    const team = await useTeamThatCanGo(vitrine);
    await keepEicar(vitrine);
    const [lookup, comments, upload, publications] = [
      new LookupPage(page),
      new CommentsPage(page),
      new UploadPage(page),
      new PublicationsPage(page),
    ];
    await comments.field.fill('Written while the network went');
    await team.cut();

    await comments.field.press('Control+Enter');
    const comment = comments.comment('Written while the network went');
    await expect(comment).toContainText('Cannot reach the repository');
    await expect(comment.getByRole('button', { name: 'Send again' })).toBeVisible();

    await lookup.ask('e1671797c52e15f763380b45e841ec32');
    await expect(lookup.alert).toContainText('Cannot reach the repository');
    await expect(lookup.alert.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(statusBar(page)).toContainText('Cannot reach the repository');

    await publications.open();
    await publications.askAgain();
    await expect(publications.alert).toContainText('Cannot reach the rule editor');
    await expect(publications.alert.getByRole('button', { name: 'Try again' })).toBeVisible();

    await upload.open();
    await pickFiles(page.locator('[data-picker=files]').first(), {
      name: 'kept.bin',
      bytes: 'kept while there is no network',
    });
    await expect(upload.row('kept.bin')).toBeVisible();
    await upload.comment.fill('Goes with it, later');
    await expect(page.getByText(/Cannot reach the/).first()).toBeVisible();

    await team.mend();
    await lookup.open();
    await lookup.alert.getByRole('button', { name: 'Try again' }).click();
    await expect(lookup.alert).toContainText('does not know this hash');
    await expect(statusBar(page)).toContainText('Repository responding');
    await publications.open();
    await publications.alert.getByRole('button', { name: 'Try again' }).click();
    await expect(publications.step('Install 2026.11.10 (15 rules)')).toBeVisible();
    await lookup.open();
    await lookup.ask(eicarMd5);
    await comment.getByRole('button', { name: 'Send again' }).click();
    await expect
      .poll(async () =>
        (await recordOf(team.field, eicarMd5))?.comments.filter(
          ({ content }) => content === 'Written while the network went',
        ),
      )
      .toHaveLength(1);
    await upload.open();
    await expect(upload.comment).toHaveValue('Goes with it, later');
    await upload.send();
    await expect(page.getByText(/^1 sample stored/)).toBeVisible();
    await team.stop();
  },
);

test(
  'local work continues without the network: library, sample, notes, views, export, scans, rules and mutes',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { page } = vitrine;
    const team = await useTeamThatCanGo(vitrine);
    await keepEicar(vitrine);
    await installNewest(vitrine.call, team.id);
    const publications = new PublicationsPage(page);
    await publications.open();
    await publications.includeTest();
    await publications.check();
    await publications.step(/^Update to 2026\.11\.17/).click();
    await publications.activeVersion('2026.11.17');
    await team.cut();

    const [library, sample, scans] = [new LibraryPage(page), new SamplePage(page), new ScanPage(page)];
    await sample.openFromLibrary(eicarSha256.slice(0, 12));
    await sample.addTag('case:offline');
    await sample.writeNote('written with no network');
    await sample.note.getByRole('button', { name: 'Preview' }).click();
    await page.keyboard.press('b');
    await expect(sample.hexRows).toContainText('58 35 4f 21');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: /^Export…/ }).click();
    await page.getByRole('menuitem', { name: /^Password ZIP/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export to folder' }).click();
    await page.getByText(/^Exported /).waitFor();
    await sample.back();
    await library.search('tag:case:offline note:network');
    await expect(library.row('eicar.com')).toBeVisible();
    await page.getByRole('button', { name: 'Save view' }).click();
    await library.dialog.getByRole('textbox', { name: 'Name' }).fill('Offline');
    await library.dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(library.views.getByRole('button', { name: 'Offline, 1 sample' })).toBeVisible();

    await publications.open();
    await publications.packages.getByRole('button', { name: 'Roll back to 2026.11.10' }).click();
    await publications.activeVersion('2026.11.10');
    await publications.open('Rules');
    await publications.rule('high_entropy').click();
    await page.getByRole('button', { name: 'Mute high_entropy' }).click();
    await publications.dialog.getByLabel('Reason').fill('noisy');
    await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(page.getByText('Muted in every sample')).toBeVisible();

    await scans.startOver();
    await scans.findAndTick(eicarSha256);
    await scans.with('Local');
    await scans.scan();
    await expect(scans.hit('eicar_test_file')).toBeVisible();
    await scans.startOver();
    await scans.hunt('All rules');
    await expect(page.getByText(/^1 sample scanned: .*, ended/)).toBeVisible();

    await new SettingsPage(page).open('About');
    await page.getByRole('button', { name: 'Verify journal' }).click();
    await expect(page.getByText(/^Journal intact: \d+ entries/)).toBeVisible();
    await team.stop();
  },
);

const views = [
  'Library',
  'Look up',
  'Bulk download',
  'Upload',
  'Comments',
  'Scan',
  'Publications',
  'Activity',
  'Journal',
  'Settings',
];

test('no view is blank, waits forever or shows something false while the servers are down', async ({ vitrine }) => {
  const { page } = vitrine;
  const team = await useTeamThatCanGo(vitrine);
  await keepEicar(vitrine);
  await installNewest(vitrine.call, team.id);
  await team.cut();
  const lookup = new LookupPage(page);
  await lookup.open();
  await lookup.ask('0cc175b9c0f1b6a831c399e269772661');
  await expect(lookup.alert).toContainText('Cannot reach the repository');
  for (const view of views) {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: new RegExp(`^${view}`) })
      .first()
      .click();
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 }), view).toBeVisible();
    await expect(main, view).not.toContainText(/not known yet|Reading…|Loading/i);
    await expect(main, view).not.toContainText(/Vitrine is not responding|The lab is not running/);
    await expect.poll(async () => (await main.innerText()).length, { message: view }).toBeGreaterThan(40);
    await expect(statusBar(page), view).toContainText('Cannot reach the repository');
    await expect(statusBar(page), view).toContainText('2026.11.10, 15 rules');
  }
  await team.stop();
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { axeFindings } from '../axe.ts';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { backTo, isFocused, tabTo } from '../keyboard-steps.ts';
import { look } from '../looks/look.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { type Program, startProgram } from '../program.ts';
import { stockHost } from '../stocked-host.ts';

const start = (folder: string, ...args: string[]): Program =>
  startProgram('electron/web.ts', ['--port', '0', '--no-open', ...args], {
    HOME: folder,
    TMPDIR: join(folder, 'temp'),
  });

const linkOf = async (program: Program): Promise<string> =>
  (await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/))[0];

const backupFile = z.object({ whole: z.object({ files: z.number(), list: z.object({ name: z.string() }) }) });
const listLine = z.object({ path: z.string(), sha256: z.string() });

/** What marks a folder as a backup. */
const readBackup = async (backup: string) =>
  backupFile.parse(JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'))).whole;

test(
  'a backup runs while the data is open, later copies only new data, and restores completely',
  { tag: '@long' },
  async ({ folder, page }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'reads the terminal output of a start with --restore');
    const [data, backup, restored] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'restored')];
    const lookup = new LookupPage(page);
    const settings = new SettingsPage(page);
    const region = page.getByRole('region', { name: 'Backup' });
    await stockHost('welcomed', data);
    const vitrine = start(folder, '--data', data, '--backups', backup);
    await page.goto(await linkOf(vitrine));
    await lookup.ask(eicarMd5);
    // From then on the lab, which is backed up too, has all files that it begins with.
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await settings.open('Storage');
    await expect(region.getByText('No backup yet.')).toBeVisible();
    await region.getByRole('button', { name: 'Back up now' }).click();
    await expect(region.getByText('Last backup')).toBeVisible();
    await expect(region.getByText(`npm run -s vitrine -- restore '${backup}' --data NEW_FOLDER`)).toBeVisible();
    const first = await readBackup(backup);

    await lookup.open();
    await lookup.ask(eicarMd5);
    await lookup.download();
    await expect(lookup.inVault).toBeVisible();
    // By the palette, from another view.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('back up now');
    await page.keyboard.press('Enter');
    await expect(region.getByRole('button', { name: 'Back up now' })).toBeEnabled();
    await expect.poll(async () => (await readBackup(backup)).files).toBe(first.files + 1);
    await expect(region.getByText('Last backup')).toBeVisible();
    await vitrine.stop();

    const over = start(folder, '--data', data, '--restore', backup);
    expect(await over.exited).toBe(1);
    expect(over.output()).toContain('A backup is restored only to an empty or a new folder');
    const other = start(folder, '--data', restored, '--restore', backup);
    await other.printed(/Restoring the backup of \S+Z: \d+ files/);
    await other.printed(/The backup is restored in \S+\/restored/);
    await page.goto(await linkOf(other));
    await lookup.ask(eicarMd5);
    await expect(lookup.inVault).toBeVisible();
    await settings.open('Storage');
    await expect(page.getByText(restored, { exact: true })).toBeVisible();
    await expect(region.getByRole('button', { name: /^Back up now/ })).toBeEnabled();
    await page.getByRole('button', { name: 'Check vault' }).click();
    await expect(page.getByText('1 sample intact')).toBeVisible();
    await other.stop();
  },
);

test('a first backup goes to a folder that is made in the page, without an option at the start', async ({
  folder,
  page,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop has a folder picker');
  const settings = new SettingsPage(page);
  const region = page.getByRole('region', { name: 'Backup' });
  await stockHost('welcomed', join(folder, 'data'));
  const vitrine = start(folder, '--data', join(folder, 'data'), '--folder', folder);
  await page.goto(await linkOf(vitrine));
  await settings.open('Storage');
  await region.getByRole('button', { name: 'Back up now…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Choose an empty folder/ });
  await dialog.getByRole('option', { name: folder }).click();
  await dialog.getByRole('button', { name: 'Back up here' }).click();
  await expect(dialog.getByText(/^The data folder is inside it/)).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await look(page, 'settings-folder-dialog');
  await dialog.getByRole('button', { name: 'New folder…' }).click();
  await page.keyboard.type('backup');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(join(folder, 'backup'))).toBeVisible();
  await dialog.getByRole('button', { name: 'Back up here' }).click();
  await expect(region.getByText('Last backup')).toBeVisible();
  expect((await readBackup(join(folder, 'backup'))).files).toBeGreaterThan(0);
  await expect(region.getByRole('button', { name: 'Back up now', exact: true })).toBeEnabled();
  await vitrine.stop();
});

test('a first backup goes to a new folder in an empty one, by keyboard alone', async ({ folder, page }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop has a folder picker');
  const settings = new SettingsPage(page);
  const region = page.getByRole('region', { name: 'Backup' });
  const [data, empty] = [join(folder, 'data'), join(folder, 'empty')];
  await mkdir(empty);
  await stockHost('welcomed', data);
  const vitrine = start(folder, '--data', data, '--folder', empty);
  await page.goto(await linkOf(vitrine));
  await settings.open('Storage');
  await tabTo(page, region.getByRole('button', { name: 'Back up now…' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Choose an empty folder/ });
  const option = dialog.getByRole('option', { name: empty });
  await expect(dialog.getByRole('option').first()).toBeFocused();
  for (let step = 0; step < 10 && !(await isFocused(option)); step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const list = dialog.getByRole('listbox', { name: 'Folders' });
  await expect(list).toHaveText('No folders in here');
  await expect(list).toBeFocused();
  await tabTo(page, dialog.getByRole('button', { name: 'New folder…' }));
  await page.keyboard.press('Enter');
  await page.keyboard.type('backup');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(join(empty, 'backup'))).toBeVisible();
  await expect(list).toBeFocused();
  await backTo(page, dialog.getByRole('button', { name: 'Up', exact: true }));
  await tabTo(page, dialog.getByRole('button', { name: 'Back up here' }));
  await page.keyboard.press('Enter');
  await expect(region.getByText('Last backup')).toBeVisible();
  expect((await readBackup(join(empty, 'backup'))).files).toBeGreaterThan(0);
  await vitrine.stop();
});

test(
  'a modified backup is refused by name and restores nothing',
  { tag: '@long' },
  async ({ folder, page }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'reads the terminal output of a start with --restore');
    const [data, backup, restored] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'restored')];
    const region = page.getByRole('region', { name: 'Backup' });
    await stockHost('welcomed', data);
    const vitrine = start(folder, '--data', data, '--backups', backup);
    await page.goto(await linkOf(vitrine));
    await new SettingsPage(page).open('Storage');
    await region.getByRole('button', { name: 'Back up now' }).click();
    await expect(region.getByText('Last backup')).toBeVisible();
    await vitrine.stop();

    const { list } = await readBackup(backup);
    const database =
      (await readFile(join(backup, list.name), 'utf8')).split('\n').find((line) => line.includes('"vitrine.db"')) ??
      '{}';
    const { sha256 } = listLine.parse(JSON.parse(database));
    await writeFile(join(backup, 'files', sha256.slice(0, 2), sha256), 'changed');
    const other = start(folder, '--data', restored, '--restore', backup);
    expect(await other.exited).toBe(1);
    expect(other.output()).toContain('The backup is damaged. vitrine.db is missing or modified');
    expect(existsSync(join(restored, 'vitrine.db'))).toBe(false);
  },
);

test('a backup goes to the folder chosen in the picker, and the next one goes there without a prompt', async ({
  vitrine,
  lookup,
  settings,
}, testInfo) => {
  test.skip(testInfo.project.name !== 'desktop', 'the web host has a dialog of its own');
  const region = vitrine.page.getByRole('region', { name: 'Backup' });
  const backUp = region.getByRole('button', { name: 'Back up now' });
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await settings.open('Storage');
  await expect(region.getByText('No backup yet.')).toBeVisible();
  await backUp.click();
  await expect(region.getByText('Last backup')).toBeVisible();
  await expect(region.getByRole('code')).toContainText(vitrine.exportFolder);
  const first = await readBackup(vitrine.exportFolder);

  await lookup.open();
  await lookup.ask(eicarMd5);
  await lookup.download();
  await expect(lookup.inVault).toBeVisible();
  await settings.open('Storage');
  await backUp.click();
  await expect.poll(async () => (await readBackup(vitrine.exportFolder)).files).toBe(first.files + 1);
  await expect(backUp).toBeEnabled();
});

import { createHash } from 'node:crypto';
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from '../axe.ts';
import { callsOverHttp } from '../host-calls.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { look } from '../looks/look.ts';
import { recordsOf } from '../lab-reading.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { type Program, startProgram } from '../program.ts';
import { stockHost, installNewest } from '../stocked-host.ts';
import { startTeam, type Team } from '../team.ts';
import { workIn } from '../workspace.ts';

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const program = (folder: string, ...args: string[]): Program =>
  startProgram('electron/web.ts', ['--port', '0', '--no-open', '--data', join(folder, 'data'), ...args], {
    HOME: folder,
    TMPDIR: join(folder, 'temp'),
  });

async function openPage(page: Page, vitrine: Program): Promise<SettingsPage> {
  const [link] = await vitrine.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(link);
  return new SettingsPage(page);
}

/** The workspace of a team whose repository counts what it is asked, with the rules of its lab installed. */
async function useTeam(vitrine: Pick<Vitrine, 'page' | 'call'>, team: Team): Promise<void> {
  const id = await workIn(vitrine, {
    name: 'Team',
    repository: team.uploads.baseUrl,
    token: team.token,
    ruleEditor: team.labUrl.replace(/repository$/, 'rules'),
  });
  await installNewest(vitrine.call, id);
}

const header = Buffer.alloc(256);
header.write('MZ');
header.writeUInt32LE(0x80, 0x3c);
header.write('PE\0\0', 0x80);

/** All that a person sees of a file from its first piece to the table of the upload. */
async function followFile(page: Page, team: Team, watched: string): Promise<void> {
  await page.getByText('Watch this folder').click();
  await expect(page.getByText('On. Ignoring 1 existing file.')).toBeVisible();
  const before = team.uploads.requests.length;

  const file = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'dropper.exe' }) });
  await writeFile(join(watched, 'dropper.exe.part'), header);
  await expect(page.getByRole('row', { name: /dropper\.exe\.part/ })).toContainText('Still being written');
  await appendFile(join(watched, 'dropper.exe.part'), Buffer.alloc(1000, 0x41));
  await rename(join(watched, 'dropper.exe.part'), join(watched, 'dropper.exe'));
  const whole = Buffer.concat([header, Buffer.alloc(1000, 0x41)]);
  await expect(page.getByText('1 new file in the watched folder has hits')).toBeVisible({ timeout: 30_000 });
  await expect(file.filter({ hasText: 'In draft' })).toContainText('1.23 KiB');
  expect(await axeFindings(page)).toEqual([]);
  await look(page, 'settings-watched-folder-with-files');

  await page.getByRole('button', { name: 'Show hits' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scan' })).toBeVisible();
  const upload = new UploadPage(page);
  await upload.open();
  await expect(upload.row('dropper.exe')).toContainText('Not checked');
  await expect(upload.row('dropper.exe')).toHaveAttribute('aria-selected', 'false');
  await expect(upload.amount('To send')).toHaveText('0');
  await look(page, 'upload-from-watched-folder');
  await page.getByRole('columnheader', { name: 'Select all' }).click();
  await expect(page.getByRole('dialog', { name: 'Also tick the file from the watched folder?' })).toBeVisible();
  await look(page, 'upload-tick-all-with-watched');
  await page.getByRole('button', { name: 'Tick none' }).click();
  expect(team.uploads.requests.slice(before)).toEqual([]);
  expect(await recordsOf(team, [md5Of(whole)])).toEqual([]);

  await upload.row('dropper.exe').focus();
  await expect(page.getByText('Added from the watched folder. Tick it to check')).toBeVisible();
  await page.keyboard.press('x');
  await expect(upload.row('dropper.exe')).toContainText('New');
  expect(team.uploads.requestsOf('getfile').length).toBeGreaterThan(0);
  expect(team.uploads.requestsOf('uploadfiles')).toEqual([]);
}

test('a file that arrives in pieces is drafted when complete, unticked, scanned, and never sent automatically', async ({
  folder,
  page,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the next test does the same in the folder from the picker');
  const watched = join(folder, 'incoming');
  await mkdir(watched);
  await writeFile(join(watched, 'old.bin'), 'it was here before');
  const team = await startTeam(join(folder, 'team-lab'), { rights: 'read,download,upload,comment' });
  await stockHost('welcomed', join(folder, 'data'));
  const vitrine = program(folder, '--watch', watched);
  const settings = await openPage(page, vitrine);
  await useTeam({ page, call: callsOverHttp(vitrine) }, team);
  await settings.open('Watched folder');
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  await settings.chooseFolder(watched, 'Choose this folder');
  await followFile(page, team, watched);
  await vitrine.stop();
  await team.stop();
});

test('the watched folder is the one chosen in the picker on the desktop', async ({
  vitrine,
  settings,
  folder,
}, testInfo) => {
  test.skip(testInfo.project.name !== 'desktop', 'the web host has a dialog of its own');
  await writeFile(join(vitrine.exportFolder, 'old.bin'), 'it was here before');
  const team = await startTeam(join(folder, 'team-lab'), { rights: 'read,download,upload,comment' });
  await useTeam(vitrine, team);
  await settings.open('Watched folder');
  await vitrine.page.getByRole('button', { name: 'Choose folder…' }).click();
  await followFile(vitrine.page, team, vitrine.exportFolder);
  await team.stop();
});

test(
  'a watch adds nothing while off, and the next start finds files that arrived while the program was closed',
  { tag: '@long' },
  async ({ folder, page }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'stops and restarts the host');
    const watched = join(folder, 'incoming');
    await mkdir(watched);
    await stockHost('welcomed', join(folder, 'data'));
    const vitrine = program(folder, '--watch', watched);
    const settings = await openPage(page, vitrine);
    await settings.open('Watched folder');
    await page.getByRole('button', { name: 'Choose folder…' }).click();
    await settings.chooseFolder(watched, 'Choose this folder');
    await writeFile(join(watched, 'while-off.bin'), 'nobody looks');
    await page.getByText('Watch this folder').click();
    await expect(page.getByText('On. Ignoring 1 existing file')).toBeVisible();
    await expect(page.getByText('No new files yet.')).toBeVisible();
    await vitrine.stop();

    await writeFile(join(watched, 'meanwhile.bin'), 'the program is not there');
    const again = program(folder);
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await page.goto('about:blank');
    await page.goto(link);
    await settings.open('Watched folder');
    await expect(page.getByRole('row', { name: /meanwhile\.bin/ })).toContainText(
      'Not scannedThis workspace has no active rules',
    );
    await expect(page.getByRole('row', { name: /while-off\.bin/ })).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('turn off watched folder');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Off. New files are not scanned.')).toBeVisible();
    await again.stop();
  },
);

test('a folder of the home folder is watched without an option at the start', async ({ folder, page }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop has a folder picker');
  await mkdir(join(folder, 'incoming'));
  await mkdir(join(folder, '.hidden'));
  await stockHost('welcomed', join(folder, 'data'));
  const vitrine = program(folder);
  const settings = await openPage(page, vitrine);
  await settings.open('Watched folder');
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a folder to watch' });
  await dialog.getByRole('option', { name: `${folder} Home` }).click();
  await dialog.getByRole('button', { name: 'Choose this folder' }).click();
  await expect(dialog.getByText(/^The data folder is inside it/)).toBeVisible();
  await expect(dialog.getByRole('option', { name: /hidden|data/ })).toHaveCount(0);
  await dialog.getByRole('option', { name: 'incoming' }).click();
  await dialog.getByText(join(folder, 'incoming')).waitFor();
  await dialog.getByRole('button', { name: 'Choose this folder' }).click();
  await expect(page.getByText('Off. New files are not scanned.')).toBeVisible();
  await expect(page.getByText(join(folder, 'incoming'))).toBeVisible();
  await vitrine.stop();
});

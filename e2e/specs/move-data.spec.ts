import { existsSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { type Program, startProgram } from '../program.ts';
import { stockHost } from '../stocked-host.ts';

test.beforeEach(({ headless: _headless }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the same code, and the test reads the terminal output of a start');
  test.skip(process.platform !== 'linux', 'only there is the usual folder one that a test can choose');
});

const start = (folder: string, ...args: string[]): Program =>
  startProgram('electron/web.ts', ['--port', '0', '--no-open', ...args], {
    XDG_DATA_HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'temp'),
  });

const linkOf = async (program: Program): Promise<string> =>
  (await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/))[0];

/** What each file was last changed, by its path. */
async function changesIn(directory: string): Promise<Record<string, number>> {
  const paths = (await readdir(directory, { recursive: true })).toSorted();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await stat(join(directory, path))).mtimeMs] as const)),
  );
}

test(
  'moved data is complete and used from its new place, and the old copy stays unchanged',
  { tag: '@long' },
  async ({ folder, page }) => {
    const [old, target] = [join(folder, 'home', 'Vitrine'), join(folder, 'disk', 'data')];
    const lookup = new LookupPage(page);
    const settings = new SettingsPage(page);
    await stockHost('welcomed', old);
    const first = start(folder);
    await page.goto(await linkOf(first));
    await lookup.ask(eicarMd5);
    await lookup.download();
    await expect(lookup.inVault).toBeVisible();
    const refused = start(folder, '--move-data-to', target);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain('Another Vitrine is using this data');
    expect(existsSync(target)).toBe(false);
    await first.stop();

    const before = await changesIn(old);
    const moving = start(folder, '--move-data-to', target);
    await moving.printed(/Copying the data: \d+ files, \d+ MiB/);
    await moving.printed(/The data is now in \S+\/disk\/data/);
    await page.goto(await linkOf(moving));
    await lookup.ask(eicarMd5);
    await expect(lookup.inVault).toBeVisible();
    await settings.open('Storage');
    await expect(page.getByText(target, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Check vault' }).click();
    await expect(page.getByText('1 sample intact')).toBeVisible();
    await settings.open('About');
    await page.getByRole('button', { name: 'Verify journal' }).click();
    await expect(page.getByText(/^Journal intact: \d+ entries/)).toBeVisible();
    await moving.stop();
    expect(await changesIn(old)).toEqual(before);

    const again = start(folder);
    await page.goto(await linkOf(again));
    await settings.open('Storage');
    await expect(page.getByText(target, { exact: true })).toBeVisible();
    await again.stop();

    await rename(target, `${target}-unmounted`);
    const gone = start(folder);
    expect(await gone.exited).toBe(1);
    expect(gone.output()).toContain('The data folder is missing');
    expect(existsSync(target)).toBe(false);
  },
);

test(
  'the old copy after a move is removed by keyboard after a confirmation, except files never copied',
  { tag: '@long' },
  async ({ folder, page }) => {
    const [old, target] = [join(folder, 'home', 'Vitrine'), join(folder, 'disk', 'data')];
    const lookup = new LookupPage(page);
    const settings = new SettingsPage(page);
    const region = page.getByRole('region', { name: 'Old copy' });
    await stockHost('sample-files', old);
    const first = start(folder);
    await page.goto(await linkOf(first));
    await settings.open('Storage');
    await expect(page.getByText('start once with --move-data-to DIR')).toBeVisible();
    await expect(region).toHaveCount(0);
    await first.stop();

    const moving = start(folder, '--move-data-to', target);
    await page.goto(await linkOf(moving));
    await settings.open('Storage');
    await expect(region.getByText(old, { exact: true })).toBeVisible();
    await writeFile(join(old, 'mine.txt'), 'mine');
    const remove = region.getByRole('button', { name: 'Remove old copy…' });
    await remove.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Remove old copy?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    expect(existsSync(join(old, 'vitrine.db'))).toBe(true);
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(region.getByText(/reclaimed\. 1 new or changed file left in/)).toBeFocused();
    expect(await readdir(old)).toEqual(['mine.txt']);
    await moving.stop();

    const again = start(folder);
    await page.goto(await linkOf(again));
    await lookup.ask(eicarMd5);
    await expect(lookup.inVault).toBeVisible();
    await settings.open('Storage');
    await expect(page.getByText(target, { exact: true })).toBeVisible();
    await expect(region).toHaveCount(0);
    await page.getByRole('button', { name: 'Check vault' }).click();
    await expect(page.getByText('all 14 samples intact')).toBeVisible();
    await again.stop();
  },
);

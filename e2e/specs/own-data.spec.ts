import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '../fixtures.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { WelcomePage } from '../pages/welcome-page.ts';
import { startProgram } from '../program.ts';
import { stockHost } from '../stocked-host.ts';
import { eicarMd5 } from '../eicar.ts';

test.beforeEach(({ headless: _headless }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'reads the terminal output of a start');
});

/** The data that a program left, changed. */
async function changedData(folder: string, change: (database: DatabaseSync) => void): Promise<string> {
  const dataDirectory = join(folder, 'data');
  await stockHost('welcomed', dataDirectory);
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'));
  change(database);
  database.close();
  return dataDirectory;
}

test('data from a newer version is refused with a message and left unchanged', async ({ folder }) => {
  const dataDirectory = await changedData(folder, (database) => database.exec('PRAGMA user_version = 9999'));
  const before = await readFile(join(dataDirectory, 'vitrine.db'));
  const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
  expect(await again.exited).toBe(1);
  expect(again.output()).toContain('This data is from a newer version of Vitrine');
  expect((await readFile(join(dataDirectory, 'vitrine.db'))).equals(before)).toBe(true);
});

test(
  'a damaged setting is named and reset to its default, without other losses',
  { tag: '@long' },
  async ({ folder, page }) => {
    const dataDirectory = await changedData(folder, (database) => {
      database.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run('theme', '{not JSON');
    });
    const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await page.goto(link);
    await expect(page.getByText('Some settings could not be read: theme')).toBeVisible();
    await page.getByRole('textbox', { name: 'Hash, or text with hashes' }).fill(eicarMd5);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name: 'eicar.com' })).toBeVisible();
    await again.stop();
  },
);

test('a damaged workspace is named and can be removed', { tag: '@long' }, async ({ folder, page }) => {
  const dataDirectory = await changedData(folder, (database) => {
    database.prepare('INSERT INTO workspace (id, body) VALUES (?, ?)').run('w-damaged', '{not JSON');
  });
  const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
  const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(link);
  await new SettingsPage(page).open('Workspaces');
  await expect(page.getByText('Workspace w-damaged could not be read')).toBeVisible();
  await page.getByRole('button', { name: 'Remove…', exact: true }).click();
  await page.getByRole('button', { name: 'Remove workspace' }).click();
  await expect(page.getByText('Workspace w-damaged could not be read')).toHaveCount(0);
  await again.stop();
});

test('an invalid database is refused with a message', async ({ folder }) => {
  const dataDirectory = await changedData(folder, () => {});
  await writeFile(
    join(dataDirectory, 'vitrine.db'),
    'this is no database, and was one before it was overwritten'.repeat(100),
  );
  const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
  expect(await again.exited).toBe(1);
  expect(again.output()).toContain('The database is damaged');
});

test('a killed program starts again with all its data', { tag: '@long' }, async ({ folder, page }) => {
  const options = ['--port', '0', '--data', join(folder, 'data'), '--no-open'];
  const first = startProgram('electron/web.ts', options);
  const [link] = await first.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(link);
  await new WelcomePage(page).skip();
  await page.getByRole('textbox', { name: 'Hash, or text with hashes' }).fill(eicarMd5);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Download/ }).click();
  await expect(page.getByText('In the vault, verified and encrypted')).toBeVisible();
  await first.stop('SIGKILL');

  const second = startProgram('electron/web.ts', options);
  const [again] = await second.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(again);
  await page.getByRole('textbox', { name: 'Hash, or text with hashes' }).fill(eicarMd5);
  await page.keyboard.press('Enter');
  await expect(page.getByText('In the vault, verified and encrypted')).toBeVisible();
  await second.stop();
});

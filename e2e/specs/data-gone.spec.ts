import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { callsOverHttp } from '../host-calls.ts';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { startProgram } from '../program.ts';

test.beforeEach(({ headless: _headless }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop uses the same code for its folder');
  test.skip(process.platform === 'win32', 'the system keeps folders that are in use');
});

test('a missing data directory is reported above everything, blocks writes, and recovers when it is back', async ({
  vitrine,
  lookup,
  settings,
}) => {
  const { page, dataDirectory } = vitrine;
  const gone = page.getByRole('main').getByRole('alert').filter({ hasText: 'The data folder is missing' });
  const files = page.getByRole('textbox', { name: 'Files per request' });
  const setFiles = async (count: string): Promise<void> => {
    await files.fill(count);
    await files.press('Enter');
  };
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await settings.open('Uploads');
  await expect(files).toHaveValue('10');

  await rename(dataDirectory, `${dataDirectory}-elsewhere`);
  await expect(gone).toContainText(dataDirectory);
  await setFiles('20');
  // Above everything, and beside the number.
  await expect(gone).toHaveCount(2);
  await lookup.open();
  await page.getByRole('button', { name: /^Download/ }).click();
  await expect(gone).toHaveCount(2);
  await gone.first().getByRole('button', { name: 'Try again' }).click();
  await expect(gone).toHaveCount(2);
  expect(existsSync(dataDirectory)).toBe(false);

  await rename(`${dataDirectory}-elsewhere`, dataDirectory);
  // That it is back is seen unasked: what stays is the download that failed.
  await expect(gone).toHaveCount(1);
  await gone.getByRole('button', { name: 'Try again' }).click();
  await expect(lookup.inVault).toBeVisible();
  await settings.open('Uploads');
  await expect(files).toHaveValue('10');
  await setFiles('30');
  await page.reload();
  await settings.open('Uploads');
  await expect(files).toHaveValue('30');
});

test('a returned data directory is detected without a refresh', { tag: '@long' }, async ({ vitrine }) => {
  const { page, dataDirectory } = vitrine;
  const gone = page.getByText('The data folder is missing');
  // A lab that starts makes its folder.
  await expect(page.getByText('Lab running')).toBeVisible();
  await rename(dataDirectory, `${dataDirectory}-elsewhere`);
  await expect(gone.first()).toBeVisible();
  await rename(`${dataDirectory}-elsewhere`, dataDirectory);
  await expect(gone).toHaveCount(0);
});

test('the program ends on request without its data directory and creates no new one', async ({ folder }) => {
  const dataDirectory = join(folder, 'data');
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open'], {
    TMPDIR: join(folder, 'temp'),
  });
  const call = callsOverHttp(program);
  // A lab that starts makes its folder.
  await expect.poll(async () => (await call('lab.sampleFiles', {})).sampleFiles.length).toBeGreaterThan(0);
  await rm(dataDirectory, { recursive: true });
  await expect(call('settings.change', { theme: 'dark' })).rejects.toThrow('data-gone');
  expect(await program.stop()).toBe(0);
  expect(existsSync(dataDirectory)).toBe(false);
});

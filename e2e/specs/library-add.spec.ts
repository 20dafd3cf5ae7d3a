import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { zipBy7z } from '../faults/encrypted-zip.ts';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { filesToPick, pickFiles } from '../picked-files.ts';
import { workIn } from '../workspace.ts';

/** A repository and rule editor that only counts what it is asked. */
async function startCountingServer() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(500).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = (): void => server.close().closeAllConnections();
  return { asked, baseUrl: `http://127.0.0.1:${address.port}`, close };
}

test('local files are stored with their archive members and found by every name, without a request', async ({
  vitrine,
}) => {
  const { page } = vitrine;
  const service = await startCountingServer();
  await workIn(vitrine, { name: 'Team', repository: service.baseUrl, ruleEditor: service.baseUrl, token: 'any' });
  const marker = `a harmless text ${randomUUID()}`;
  const bytesOf = (text: string): Buffer => Buffer.from(`${marker} ${text}`);
  const [one, two, three] = [bytesOf('one'), bytesOf('two'), bytesOf('three')];
  const open = await zipBy7z(
    [
      { name: 'inner-one.exe', bytes: one },
      { name: 'inner-two.exe', bytes: two },
    ],
    { encryption: 'aes-256', password: 'Monday' },
  );
  const locked = await zipBy7z([{ name: 'secret.exe', bytes: three }], {
    encryption: 'aes-256',
    password: randomUUID(),
  });
  const library = new LibraryPage(page);
  await library.open();
  const before = service.asked.length;

  await page.getByRole('button', { name: 'Add files…' }).first().click();
  await pickFiles(
    page.locator('[data-picker=library-files]'),
    { name: 'invoice.exe', bytes: one },
    { name: 'opens.zip', bytes: open },
    { name: 'stays-locked.zip', bytes: locked },
    { name: 'nothing.bin', bytes: '' },
  );
  await expect(library.dialog).toContainText('Nothing is sent, and no service is contacted.');
  await library.dialog.getByRole('textbox', { name: 'Passwords for archives' }).fill('Sunday\nMonday');
  await library.dialog.getByRole('button', { name: 'Add 4 files' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const table = page.getByRole('grid', { name: /^Files of job/ });
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });
  await expect(row('invoice.exe')).toContainText('Stored');
  await expect(row('opens.zip')).toContainText('Opened');
  await expect(row('inner-one.exe')).toContainText('Already here');
  await expect(row('inner-two.exe')).toContainText('Stored');
  await expect(row('stays-locked.zip')).toContainText('Stored as is: no known password opens it');
  await expect(row('secret.exe')).toContainText('No known password opens');
  await expect(row('nothing.bin')).toContainText('Empty');
  await page.getByRole('button', { name: /to review$/ }).click();
  await expect(row('inner-two.exe')).toHaveCount(0);
  await expect(row('stays-locked.zip')).toBeVisible();

  await library.open();
  for (const name of ['invoice.exe', 'inner-one.exe']) {
    await library.search(name);
    await expect(library.line('1 of 3 samples')).toBeVisible();
  }
  await library.table.getByRole('row').nth(1).dblclick();
  const names = page.getByRole('region', { name: 'Names' });
  await expect(names).toContainText('invoice.exe');
  await expect(names).toContainText('inner-one.exe');
  await expect(names).toContainText('in opens.zip');
  expect(service.asked.slice(before)).toEqual([]);
  expect(await filesHolding(join(vitrine.folder, 'data'), marker)).toEqual([]);
  service.close();
});

test('files are added by keyboard alone, from any view', async ({ vitrine }) => {
  const { page } = vitrine;
  const [path = ''] = await filesToPick({ name: 'by-keyboard.bin', bytes: randomUUID() });
  // Long before the key: the browser is set to pass the dialog to the test, which takes a moment.
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add files to the vault');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add files to the vault' });
  await expect(dialog.getByRole('button', { name: 'Choose files…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(path);
  await expect(dialog.getByRole('button', { name: 'Add 1 file' })).toBeEnabled();
  for (let tabs = 0; tabs < 8; tabs += 1) {
    await page.keyboard.press('Tab');
    if (
      await dialog.getByRole('button', { name: 'Add 1 file' }).evaluate((button) => button === document.activeElement)
    )
      break;
  }
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const library = new LibraryPage(page);
  await library.open();
  await expect(library.row('by-keyboard.bin')).toContainText('In vault');
});

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { eicarMd5 } from '../eicar.ts';
import { listenOnLoopback } from '../faults/loopback-server.ts';
import { ReplyGate } from '../faults/reply-gate.ts';
import { expect, test } from '../fixtures.ts';
import { workIn } from '../workspace.ts';

const unknown = (number: number): string => createHash('md5').update(`nobody has ${number}`).digest('hex');

test('a report becomes a table of its hashes, and a selected one is downloaded and tagged', async ({
  vitrine,
  lookup,
}) => {
  const { page } = vitrine;
  const samples = page.getByRole('table').getByRole('row');
  await samples.nth(1).waitFor();
  const shown = await samples.allInnerTexts();
  const known = shown.flatMap((row) => /[0-9a-f]{32}/.exec(row) ?? []);
  const hashes = [...known, ...Array.from({ length: 20 }, (_, number) => unknown(number))];
  await test.step('every hash has its row, and nothing is downloaded', async () => {
    await lookup.ask([...hashes, eicarMd5, eicarMd5.slice(1), '0'.repeat(32)].join(' '));
    await expect(page.getByRole('heading', { name: `${hashes.length} of ${hashes.length} answered` })).toBeVisible();
    await expect(page.getByRole('button', { name: `${known.length} repository` })).toBeVisible();
    await expect(page.getByRole('button', { name: '20 unknown' })).toBeVisible();
    await expect(page.getByText('A look-up fetches records and downloads no files.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Not looked up' }).getByText(/31 hex digits/)).toBeVisible();
  });
  await test.step('a row opens its sample, and Escape leads back to it', async () => {
    const row = page.getByRole('row', { name: /eicar\.com/ });
    await row.click();
    await row.press('Enter');
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  });
  await test.step('the bar of actions is one row high at every width', async () => {
    const bar = page.locator('footer[data-row-actions]');
    await page.keyboard.press('Control+a');
    const size = page.viewportSize();
    for (const width of size === null ? [] : [1024, 1100, 1200, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await bar.boundingBox())?.height, `at ${width}`).toBe(40);
    }
    if (size !== null) await page.setViewportSize(size);
    await page.keyboard.press('Escape');
  });
  await test.step('a selected row is downloaded, and its state follows', async () => {
    await page.keyboard.press('x');
    await expect(page.getByText('1 to download, 68 bytes')).toBeVisible();
    await page.keyboard.press('d');
    await expect(page.getByRole('row', { name: /eicar\.com/ })).toContainText('In the vault');
  });
  await test.step('a tag goes to the selected sample, and is undone', async () => {
    await page.keyboard.press('t');
    await page.keyboard.type('triage:seen');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /eicar\.com/ });
    await expect(row).toContainText('triage:seen');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(row).not.toContainText('triage:seen');
  });
  await test.step('a hash that was left out joins the table', async () => {
    await page.getByRole('button', { name: 'Look up anyway' }).click();
    await expect(
      page.getByRole('heading', { name: `${hashes.length + 1} of ${hashes.length + 1} answered` }),
    ).toBeVisible();
  });
  await test.step('a chip shows only its rows', async () => {
    await page.getByRole('button', { name: '21 unknown' }).click();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '22');
  });
  await test.step('Activity leads back to the table', async () => {
    await lookup.ask('');
    await page.getByRole('button', { name: 'Activity', exact: true }).click();
    await page.getByRole('row', { name: /Look-up of many/ }).click();
    await page.getByRole('button', { name: 'Show table' }).click();
    await expect(
      page.getByRole('heading', { name: `${hashes.length + 1} of ${hashes.length + 1} answered` }),
    ).toBeVisible();
  });
});

const held = unknown(100);

/** A repository that knows some hashes, fails for one and answers for `held` when the gate is opened. */
async function startRepository() {
  const gate = new ReplyGate();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const md5 = /[0-9a-f]{32}/.exec(request.url ?? '')?.[0] ?? '';
    const digit = Number.parseInt(md5.slice(0, 1), 16);
    const file = { md5, filename: `${md5.slice(0, 4)}.exe`, size: 2048, criticity: String(digit % 4) };
    if (md5 === held) await gate.wait();
    if (md5 === unknown(1)) response.writeHead(500);
    response.end(JSON.stringify({ file: digit < 4 ? null : file }));
  };
  const server = createServer((request, response) => void answer(request, response));
  const baseUrl = await listenOnLoopback(server);
  const close = (): void => server.close().closeAllConnections();
  return { gate, baseUrl, close };
}

for (const width of [1024, 1280])
  test(`the table stays where it is when its look-up ends and a row is selected, at ${width}`, async ({
    vitrine,
    lookup,
  }) => {
    const { page } = vitrine;
    await page.setViewportSize({ width, height: 800 });
    const { gate, baseUrl, close } = await startRepository();
    await workIn(vitrine, { name: 'Team Alpha', repository: baseUrl, token: 'a-token-of-the-team' });
    await lookup.ask([...Array.from({ length: 40 }, (_, number) => unknown(number)), held].join(' '));
    await expect(page.getByRole('heading', { name: '39 of 41 answered' })).toBeVisible();
    const grid = page.getByRole('grid');
    const before = await grid.boundingBox();
    await expect(page.getByRole('button', { name: '1 waiting' })).toBeVisible();
    const chips = page.getByRole('toolbar', { name: 'Status' });
    expect(await chips.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    gate.release();
    await expect(page.getByText('A look-up fetches records and downloads no files.')).toBeVisible();
    await expect(page.getByRole('button', { name: '1 waiting' })).toHaveCount(0);
    expect(await grid.boundingBox()).toEqual(before);
    await grid.getByRole('row').nth(2).click();
    await page.keyboard.press('x');
    await expect(page.getByText('1 selected').first()).toBeVisible();
    expect(await grid.boundingBox()).toEqual(before);
    close();
  });

test('the context menu of a row has the actions of the bar, for that row or those selected', async ({
  vitrine: { page },
  lookup,
}) => {
  await lookup.ask([eicarMd5, unknown(1)].join(' '));
  const row = page.getByRole('row', { name: /eicar\.com/ });
  const menu = page.getByRole('menu');
  await row.click({ button: 'right' });
  await expect(menu).toHaveAccessibleName('eicar.com');
  await expect(menu.getByRole('menuitem', { name: /^Tag/ })).toBeEnabled();
  await expect(menu.getByRole('menuitem', { name: /^Download 1/ })).toContainText('D');
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+F10');
  await expect(menu.getByRole('menuitem', { name: /^Tag/ })).toContainText('The library knows none of them');
  await page.keyboard.press('Escape');
  await row.click();
  await page.keyboard.press('x');
  await expect(page.getByText('1 to download, 68 bytes')).toBeVisible();
  await page.keyboard.press('ContextMenu');
  await expect(menu).toHaveAccessibleName('1 selected');
  await menu.getByRole('menuitem', { name: /^Tag/ }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Local tags' })).toBeFocused();
});

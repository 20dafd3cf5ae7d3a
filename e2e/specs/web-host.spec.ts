import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { type Program, startProgram } from '../program.ts';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { SamplePage } from '../pages/sample-page.ts';

test.beforeEach(({ headless: _headless }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the web host is for machines without the desktop');
});

function programOf(vitrine: Vitrine): Program {
  if (!vitrine.program) throw new TypeError('the desk has no program of its own');
  return vitrine.program;
}

test('a used link opens nothing, and Enter prints one that works', { tag: '@long' }, async ({ vitrine, browser }) => {
  const program = programOf(vitrine);
  const [used] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(used);
  await expect(stranger.getByText('This link was already used')).toBeVisible();
  program.type('\n');
  const [, second = ''] = await program.printed(/Ctrl-C to stop\.\s+(http:\S+)/);
  await stranger.goto('about:blank');
  await stranger.goto(second);
  await expect(stranger.getByRole('textbox', { name: 'Hash, or text with hashes' })).toBeVisible();
  await stranger.context().close();
});

test(
  'every view opens after the host has ended, because its code was preloaded',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    await expect(lookup.field).toBeFocused();
    await expect.poll(() => loadedScripts(page)).toContainEqual(expect.stringContaining('settings-view'));
    await programOf(vitrine).stop();
    for (const title of [
      'Library',
      'Bulk download',
      'Upload',
      'Comments',
      'Scan',
      'Publications',
      'Activity',
      'Settings',
    ]) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: title, exact: true }).click();
      await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    }
  },
);

test('a lost host is reported above every view, and text typed meanwhile survives its restart', async ({
  vitrine,
  lookup,
  folder,
}) => {
  const { page } = vitrine;
  const sample = new SamplePage(page);
  const comments = new CommentsPage(page);
  const above = page.getByRole('main').getByRole('alert').filter({ hasText: 'Vitrine is not responding' });
  await test.step('a reload keeps the session, and the address bar keeps no secret', async () => {
    await expect(page.getByRole('row', { name: /eicar/ })).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
  });
  await lookup.download();
  await expect.poll(() => loadedScripts(page)).toContainEqual(expect.stringContaining('settings-view'));
  await sample.openFromLibrary(eicarSha256.slice(0, 12));
  await sample.writeNote('known before,');
  await programOf(vitrine).stop('SIGKILL');
  await expect(above.first()).toBeVisible();

  await sample.note.getByRole('button', { name: 'Edit' }).or(sample.noteField).first().click();
  await sample.noteField.press('End');
  await sample.noteField.pressSequentially(' typed while it was gone');
  await expect(sample.note).toContainText('The text stays in this browser');
  await lookup.open();
  await comments.field.fill('a comment nobody took');
  await expect(page.getByText('Draft saved in this browser only')).toBeVisible();
  for (const title of ['Bulk download', 'Upload', 'Comments', 'Scan', 'Publications', 'Activity', 'Settings']) {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: new RegExp(`^${title}`) })
      .click();
    await expect(
      page.getByRole('main').getByRole('heading', { level: 1, name: title, exact: true }),
      title,
    ).toBeVisible();
    await expect(above.first(), title).toBeVisible();
  }

  // What a browser keeps belongs to the address: the host comes back at its own.
  const again = startProgram(
    'electron/web.ts',
    [
      '--port',
      new URL(page.url()).port,
      '--data',
      vitrine.dataDirectory,
      '--exports',
      vitrine.exportFolder,
      '--no-open',
    ],
    { TMPDIR: join(folder, 'temp') },
  );
  const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto('about:blank');
  await page.goto(link);
  await sample.openFromLibrary(eicarSha256.slice(0, 12));
  await expect(sample.note).toContainText('known before, typed while it was gone');
  await expect(above).toHaveCount(0);
  await lookup.open();
  await lookup.ask(eicarMd5);
  await expect(comments.field).toHaveValue('a comment nobody took');
  await again.stop();
});

test(
  'a view stays until the next one’s code arrives, which takes no focus from an open palette',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    await expect(page.getByRole('row', { name: /eicar/ })).toBeVisible();
    const asked = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    await page.route('**/assets/comments-view-*.js', async (route) => {
      asked.resolve();
      await given.promise;
      await route.continue();
    });
    await page.reload();
    await expect(lookup.field).toBeFocused();
    await page.keyboard.press('Control+5');
    await asked.promise;
    await twoFrames(page);
    expect(await lookup.field.isVisible()).toBe(true);
    const palette = page.getByRole('combobox', { name: 'Paste a hash, find a sample or run a command' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('da');
    given.resolve();
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Comments' })).toBeVisible();
    await expect(palette).toBeFocused();
    await page.keyboard.type('rk');
    await expect(palette).toHaveValue('dark');
  },
);

test('a view whose code cannot load reports it, and opens when it can', async ({ vitrine, lookup }) => {
  const { page } = vitrine;
  const code = '**/assets/comments-view-*.js';
  await expect(page.getByRole('row', { name: /eicar/ })).toBeVisible();
  await page.route(code, (route) => route.abort());
  await page.reload();
  await expect(lookup.field).toBeFocused();
  await page.keyboard.press('Control+5');
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('This view could not be loaded');
  const again = alert.getByRole('button', { name: 'Reload view' });
  await expect(again).toBeFocused();
  const refused = page.waitForEvent('requestfailed');
  await again.press('Enter');
  await refused;
  await expect(again).toBeFocused();
  await page.unroute(code);
  await again.press('Enter');
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Comments' })).toBeVisible();
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
});

const twoFrames = (page: Page): Promise<number> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const loadedScripts = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

test('a second program, a busy port, a read-only folder and wrong arguments end with a message and a code', async ({
  folder,
}) => {
  const data = join(folder, 'data');
  const first = startProgram('electron/web.ts', ['--port', '0', '--data', data, '--no-open']);
  const [, port = ''] = await first.printed(/http:\/\/127\.0\.0\.1:(\d+)\/#/);
  const second = startProgram('electron/web.ts', ['--port', '0', '--data', data, '--no-open']);
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain('Another Vitrine is using this data');
  const busy = startProgram('electron/web.ts', ['--port', port, '--data', join(folder, 'other'), '--no-open']);
  expect(await busy.exited).toBe(1);
  expect(busy.output()).toContain(`Port ${port} is in use`);
  const nowhere = startProgram('electron/web.ts', ['--port', '0', '--data', '/proc/vitrine', '--no-open']);
  expect(await nowhere.exited).toBe(1);
  expect(nowhere.output()).toMatch(/Cannot write to this folder|Disk error/);
  const wrong = startProgram('electron/web.ts', ['--prot', '1']);
  expect(await wrong.exited).toBe(2);
  expect(wrong.output()).toContain('Usage:');
  await first.stop();
});

test('Ctrl-C ends the host and its lab', async ({ folder }) => {
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', join(folder, 'data'), '--no-open']);
  await program.printed(/Ctrl-C to stop/);
  expect(await program.stop('SIGINT')).toBe(0);
});

test(
  'a killed lab is restarted, which the page reports, and answers with its previous data',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    test.skip(process.platform !== 'linux', 'the lab is found by what Linux tells of processes');
    await expect(vitrine.page.getByRole('row', { name: /eicar/ })).toBeVisible();
    const { pid } = programOf(vitrine);
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const lab = Number(children.trim().split(' ')[0]);
    expect(await readFile(`/proc/${lab}/cmdline`, 'utf8')).toMatch(/\/electron\/lab\.[jt]s\0?$/);
    process.kill(lab, 'SIGKILL');
    await expect(vitrine.page.getByText('The lab stopped and was restarted')).toBeVisible();
    await expect(vitrine.page.getByText('restarted once')).toBeVisible();
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
  },
);

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { type HostCalls, openHostCalls } from '../bench/host-calls.ts';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { JournalPage } from '../pages/journal-page.ts';
import { type Program, startProgram } from '../program.ts';
import { stockHost } from '../stocked-host.ts';

const unknownMd5 = '943252db2370a73b98bb2d261322baa7';

test('journal entries are listed, found, shown in full and linked to their sample, and the chain verifies', async ({
  vitrine,
  lookup,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop' && process.platform !== 'linux', 'a keychain adds an entry');
  const { page } = vitrine;
  const journal = new JournalPage(page);
  await lookup.ask(eicarMd5);
  await lookup.download();
  await expect(lookup.inVault).toBeVisible();
  await lookup.open();
  await lookup.ask(unknownMd5);
  await expect(lookup.alert).toBeVisible();

  await journal.open();
  await expect(journal.found).toHaveText('3 entries, newest first');
  await expect(journal.line('unknown hash')).toContainText(unknownMd5.slice(0, 12));
  await journal.only('Download');
  await expect(journal.found).toHaveText('1 entry found, newest first');
  await journal.line(eicarMd5.slice(0, 12)).click();
  await expect(journal.row).toContainText(eicarMd5);
  await page.getByRole('button', { name: 'Open sample' }).click();
  await expect(page.getByRole('heading', { name: 'eicar.com' })).toBeVisible();

  await journal.open();
  await expect(journal.found).toHaveText('1 entry found, newest first');
  await journal.find.fill('nothing of the kind');
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(journal.found).toHaveText('3 entries, newest first');
  await page.getByRole('textbox', { name: /^Before/ }).fill('2020-01-01');
  await expect(page.getByRole('heading', { name: 'No entries found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all entries' }).click();

  await journal.verify();
  await expect(page.getByText('Journal intact: 3 entries')).toBeVisible();
  await expect(page.getByText('only accidental damage is detected')).toBeVisible();
});

test(
  'journal entries are exported as stored, as JSON Lines and CSV, into the folder',
  { tag: '@long' },
  async ({ vitrine, lookup }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop' && process.platform !== 'linux', 'a keychain adds an entry');
    const { page } = vitrine;
    const journal = new JournalPage(page);
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await journal.open();
    for (const [choice, file] of [
      ['JSON Lines list, to export folder', 'journal.jsonl'],
      ['CSV list, to export folder', 'journal.csv'],
    ] as const) {
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('menuitem', { name: choice }).click();
      await expect(page.getByText(`Saved ${file} to`)).toBeVisible();
    }
    const [line] = (await readFile(join(vitrine.exportFolder, 'journal.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      number: 1,
      operation: 'look-up',
      hash: eicarMd5,
      outcome: 'found',
      link: expect.stringMatching(/^[\da-f]{64}$/),
      seal: null,
    });
    const [head, first, second] = (await readFile(join(vitrine.exportFolder, 'journal.csv'), 'utf8')).split('\r\n');
    expect(head).toBe('\ufeffnumber,time,workspace_id,operation,hash,outcome,detail,link,sealed_by,seal');
    expect(first).toContain(`,look-up,${eicarMd5},found,`);
    expect(second).toContain(',export,,done,');
    await expect(journal.line('2 entries')).toBeVisible();
  },
);

test('the journal list works by keyboard alone', { tag: '@long' }, async ({ vitrine, lookup }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop' && process.platform !== 'linux', 'a keychain adds an entry');
  const { page } = vitrine;
  const journal = new JournalPage(page);
  for (const hash of [eicarMd5, unknownMd5]) {
    await lookup.open();
    await lookup.ask(hash);
    await expect(hash === eicarMd5 ? lookup.sample('eicar.com') : lookup.alert).toBeVisible();
  }
  await page.keyboard.press('Control+9');
  await expect(journal.found).toHaveText('2 entries, newest first');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await expect(journal.row).toContainText(eicarMd5);
  await page.keyboard.press('Enter');
  await expect(journal.row).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(journal.numbered(1)).toBeFocused();
  await page.keyboard.press('v');
  await expect(page.getByText('Journal intact: 2 entries')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('unknown');
  await expect(journal.found).toHaveText('1 entry found, newest first');
});

const start = (folder: string): Program =>
  startProgram(
    'electron/web.ts',
    ['--port', '0', '--no-open', '--data', join(folder, 'data'), '--exports', join(folder, 'exports')],
    { TMPDIR: join(folder, 'temp') },
  );
const linkOf = async (program: Program): Promise<string> =>
  (await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/))[0];

/** Of hashes that the lab does not know: each is a row of the journal. */
async function lookUpFourTimes(call: HostCalls): Promise<void> {
  for (const digit of '1234')
    await expect(call('samples.lookup', { workspaceId: labWorkspaceId, hash: digit.repeat(32) })).rejects.toThrow(
      'unknown',
    );
  const filter = { operations: [], workspaceId: null, find: '', from: null, before: null };
  expect((await call('journal.list', { filter, offset: 0, limit: 1 })).total).toBe(4);
}

for (const { what, change, reported, shown } of [
  {
    what: 'an edited row',
    change: "UPDATE journal SET outcome = 'found' WHERE number = 3",
    reported: 'Entry 3 was modified',
    shown: 3,
  },
  {
    what: 'a row that was removed',
    change: 'DELETE FROM journal WHERE number = 2',
    reported: 'Entry 2 was removed',
    shown: 1,
  },
  {
    what: 'an end that was cut off',
    change: 'DELETE FROM journal WHERE number > 2',
    reported: 'The end was cut off: 2 of 4 entries left',
    shown: 2,
  },
  {
    what: 'an end whose record is gone',
    change: 'DELETE FROM journal_end',
    reported: 'The end record of the journal is missing',
    shown: null,
  },
]) {
  test(
    `${what} in the journal is named and shown in its place`,
    { tag: '@long' },
    async ({ folder, page }, testInfo) => {
      test.skip(
        testInfo.project.name === 'desktop',
        'the same code, and the data is changed while the program is closed',
      );
      const journal = new JournalPage(page);
      await stockHost('welcomed', join(folder, 'data'));
      const first = start(folder);
      await lookUpFourTimes(await openHostCalls(await linkOf(first)));
      await first.stop();
      const database = new DatabaseSync(join(folder, 'data', 'vitrine.db'));
      database.exec(change);
      database.close();

      const second = start(folder);
      await page.goto(await linkOf(second));
      await journal.open();
      await journal.verify();
      await expect(page.getByText(reported)).toBeVisible();
      const show = page.getByRole('button', { name: /^Show (entry|position)$/ });
      if (shown === null) await expect(show).toHaveCount(0);
      else {
        await show.click();
        await expect(journal.numbered(shown)).toBeFocused();
        await expect(journal.row).toContainText(`Entry ${shown}`);
      }
      await second.stop();
    },
  );
}

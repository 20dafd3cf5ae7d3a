import { createHash, randomBytes } from 'node:crypto';
import type { TestInfo } from '@playwright/test';
import { exportEverything, jobsUnderWay, openExports } from '../attacks/exported-files.ts';
import { type HostileTeam, startHostileTeam } from '../attacks/hostile-team.ts';
import { broughtByMarkup, markupOf } from '../attacks/markup.ts';
import { askInEveryWay, openNeighbour, openWithoutLocks, sendForm } from '../attacks/neighbour.ts';
import { filesTelling, keptByBrowser, processesTelling, reports } from '../attacks/traces.ts';
import { openWitness, plantViolations, type Witness } from '../attacks/witness.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { JournalPage } from '../pages/journal-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';

/**
 * Between characters that every form of writing writes another way, digits that most leave as they are: what is looked
 * for.
 */
const newToken = (): { token: string; core: string } => {
  const core = randomBytes(20).toString('hex');
  return { token: `t%2f+/=&"<${core}>`, core };
};

/** These words are in the view as text, and nothing that came with them is more than text. */
async function expectText({ page }: Vitrine, witness: Witness, view: string, words: readonly string[]): Promise<void> {
  for (const word of words)
    await expect(
      page
        .getByRole('main')
        .getByText(new RegExp(`${word} (\\\\?"><script>|<img src=x)`))
        .first(),
      `${view}: ${word}`,
    ).toBeAttached();
  expect([view, await page.evaluate(broughtByMarkup), await witness.violations()]).toEqual([view, [], []]);
}

/** Through every view that shows a service's text. */
async function visitEveryView(
  vitrine: Vitrine,
  { repository, sample, refuseChecks }: HostileTeam,
  witness: Witness,
): Promise<void> {
  const { page } = vitrine;
  const shows = (view: string, ...words: string[]): Promise<void> => expectText(vitrine, witness, view, words);
  const [lookup, library, bulk, publications, scan] = [
    new LookupPage(page),
    new LibraryPage(page),
    new BulkPage(page),
    new PublicationsPage(page),
    new ScanPage(page),
  ];

  await lookup.open();
  await lookup.ask(repository.md5);
  await expect(lookup.sample(markupOf('name').slice(0, 30))).toBeVisible();
  await shows('look-up', 'name', 'uploader', 'threat', 'comment', 'author');
  await lookup.download();

  await library.open();
  await library.row('name "><script>').click();
  await shows('library', 'name');
  await page.keyboard.press('Enter');
  await expect(new SamplePage(page).inVault).toBeVisible();
  await shows('sample', 'name', 'uploader', 'threat', 'comment');
  await new CommentsPage(page).openView();
  await shows('comments', 'comment');

  await bulk.open();
  await bulk.paste(repository.md5);
  await page.getByRole('button', { name: 'List 1 sample' }).click();
  await expect(bulk.outcomes).toBeVisible();
  await shows('bulk download');
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Activity/ })
    .click();
  await shows('activity');

  await publications.open();
  await publications.askAgain();
  await expect(publications.compare).toContainText('1 of 2 rules compile');
  await shows('publications', 'meta-author');
  await publications.step(/^Install/).click();
  await publications.open('Rules');
  await publications.rule('marked').click();
  await shows('rules', 'meta-author');
  await publications.open('Updates');
  refuseChecks();
  await publications.askAgain();
  await expect(publications.alert).toContainText('refusal "><script>');
  await shows('a refusal');

  await scan.open();
  await scan.pick([{ name: '<img src=x onerror=globalThis.taken=1>.exe', bytes: Buffer.from(sample) }]);
  await scan.with('Both, compared');
  await scan.scan();
  await expect(scan.hit('service-rule')).toBeVisible();
  await scan.hit('service-rule').click();
  await shows('scan', 'service-rule', 'rule-author');

  const journal = new JournalPage(page);
  await journal.open();
  await expect(journal.line('look-up').first()).toBeVisible();
  await shows('journal');
}

/** A form with the token is left without saving it. */
async function leaveForm({ page }: Vitrine, { repository }: HostileTeam, token: string): Promise<void> {
  await new SettingsPage(page).fillWorkspace({ name: 'Left', repository: repository.baseUrl, token });
  await new JournalPage(page).open();
}

/** Of names of exported files, what is another one each time. */
const passing = /\d{8}T\d{6}Z|(?<=^rules-).*(?=\.zip$)|^[0-9a-f]{64}| \(\d\)/g;
/** Files that contain a service's text. In each there is a mark where that was the token. */
const telling = [
  '.zip',
  'Attack.csv',
  'Attack.html',
  'Attack.jsonl',
  'Attack.md',
  'Attack.misp.json',
  'Attack.stix.json',
  '_1.vitrine-bundle',
  '_1.zip',
  'job-1-outcomes.csv',
  'job-1-outcomes.json',
  'journal.csv',
  'journal.jsonl',
  'rules-.zip',
  'scan-3.csv',
  'scan-3.json',
];

/** Everything that can be exported is exported, and opened. */
async function expectNoneInExports(
  { call, exportFolder }: Vitrine,
  { sample }: HostileTeam,
  core: string,
): Promise<void> {
  const workspaceId = (await call('workspaces.list', {})).workspaces.find(({ name }) => name === 'Team')?.id ?? '';
  await exportEverything(call, { workspaceId, sha256: createHash('sha256').update(sample).digest('hex') });
  await expect.poll(() => jobsUnderWay(call)).toEqual([]);
  const files = Array.from(await openExports(exportFolder), ([name, bytes]) => ({
    name: name.replaceAll(passing, ''),
    bytes,
  }));
  const those = (have: (bytes: Buffer) => boolean): string[] =>
    files
      .filter(({ bytes }) => have(bytes))
      .map(({ name }) => name)
      .toSorted();
  expect(those((bytes) => bytes.includes('[secret]'))).toEqual(telling);
  expect(those((bytes) => !bytes.includes('[secret]'))).toEqual([]);
  expect(those((bytes) => reports(bytes, core))).toEqual([]);
}

/** A page of the same host in which markup did get in: the policy stops it, and the witness sees that. */
async function expectWitnessSees({ page: own }: Vitrine): Promise<void> {
  const page = await own.context().newPage();
  await page.goto(new URL('/', own.url()).href);
  const witness = await openWitness(page);
  await page.evaluate(plantViolations);
  expect(new Set(await witness.violations())).toEqual(
    new Set(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-elem']),
  );
  expect(await page.evaluate(broughtByMarkup)).not.toContain('it ran');
  await page.close();
}

async function expectNothingForNeighbours({ page: own }: Vitrine): Promise<void> {
  const host = new URL(own.url()).origin;
  const { page, close } = await openNeighbour({ page: own });
  const open = await openWithoutLocks();
  const through = await page.evaluate(askInEveryWay, open.origin);
  const stopped = Object.keys(through).filter((way) => /Error|refused/.test(through[way] ?? ''));
  expect(stopped, 'ways that do not come through where there is no lock').toEqual(['a socket']);
  expect(open.asked).toContain('POST /call/library.count');
  open.close();

  const outcomes = Object.entries(await page.evaluate(askInEveryWay, host));
  expect(outcomes.filter(([, outcome]) => !/^(TypeError|refused)$/.test(outcome))).toEqual([]);
  expect(
    await page.evaluate(async () => [
      document.cookie,
      sessionStorage.length,
      localStorage.length,
      (await indexedDB.databases()).length,
    ]),
  ).toEqual(['', 0, 0, 0]);

  const [answered] = await Promise.all([
    own.context().waitForEvent('page'),
    page.evaluate(sendForm, { host, target: '_blank' }),
  ]);
  await expect(answered.locator('body')).toContainText('"kind":"sender-refused"');
  await page.evaluate(
    (src) =>
      new Promise((resolve) =>
        document.body.append(Object.assign(document.createElement('iframe'), { src, onload: resolve })),
      ),
    host,
  );
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toEqual([page.url(), 'chrome-error://chromewebdata/']);
  const [opened] = await Promise.all([
    own.context().waitForEvent('page'),
    page.evaluate((address) => void window.open(address, 'vitrine'), `${host}/#${'A'.repeat(43)}`),
  ]);
  await expect(opened.getByText('This link was already used')).toBeVisible();
  expect(await opened.evaluate(() => [window.opener === null, sessionStorage.length])).toEqual([true, 0]);
  close();
}

/** The token is in no form at any place that outlives the moment it is sent, also after the program was shot down. */
async function expectNoTrace({ page, folder, dataDirectory, program }: Vitrine, core: string): Promise<void> {
  const kept = await keptByBrowser(page);
  expect(kept, 'a recent look-up').toContain('"md5":');
  expect(kept).not.toContain(core);
  if (program) expect(await processesTelling(dataDirectory), 'its arguments').toContain(`/proc/${program.pid}/cmdline`);
  expect(await processesTelling(core)).toEqual([]);
  expect(await filesTelling(folder, core)).toEqual([]);
  await program?.stop('SIGSEGV');
  expect(await filesTelling(folder, core)).toEqual([]);
  expect(program?.output() ?? '').not.toContain(core);
}

const isWeb = ({ project }: TestInfo): boolean => project.name !== 'desktop';

test('hostile services and pages have no effect, and the token leaves no trace', async ({ vitrine }, testInfo) => {
  test.slow();
  const { token, core } = newToken();
  const team = await startHostileTeam(token);
  const witness = await openWitness(vitrine.page);
  const settings = new SettingsPage(vitrine.page);
  const title = await vitrine.page.title();

  await settings.addWorkspace({
    name: 'Team',
    repository: team.repository.baseUrl,
    token,
    ruleEditor: team.editor.baseUrl,
  });
  await settings.switchTo('Team');
  await test.step('text from a service is shown as text in every view', () => visitEveryView(vitrine, team, witness));
  expect([await vitrine.page.title(), await witness.violations(), witness.elsewhere]).toEqual([title, [], []]);
  if (isWeb(testInfo)) {
    await test.step('the witness sees what is planted', () => expectWitnessSees(vitrine));
    await test.step('a page on another port gets nothing', () => expectNothingForNeighbours(vitrine));
  }
  await leaveForm(vitrine, team, token);
  await test.step('no exported file contains the token', () => expectNoneInExports(vitrine, team, core));
  await test.step('the token is nowhere', () => expectNoTrace(vitrine, core));
  await team.close();
});

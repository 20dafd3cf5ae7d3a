import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { startRuleEditor } from '../faults/rule-editor.ts';
import { inTurn, refusal, said } from '../faults/scan-answers.ts';
import { expect, test } from '../fixtures.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { packed } from '../rule-package.ts';
import { useRulesTeam } from '../rules-workspace.ts';
import { glasswing } from '../sample-files.ts';
import { startRulesTeam } from '../team.ts';

const withRules = test.extend({ beginsWith: 'rules' });

withRules(
  'a specimen is scanned by both sides, and each of its three matches is one click from its bytes',
  { tag: '@long' },
  async ({ vitrine }) => {
    const scans = new ScanPage(vitrine.page);
    await scans.startOver();
    await scans.findAndTick(glasswing);
    await scans.with('Both, compared');
    await scans.scan();
    await expect(scans.hit('glasswing_stub')).toBeVisible();
    await expect(scans.hit('windows_executable')).toBeVisible();
    await expect(scans.where).toContainText('Both engines agree');
    await expect(scans.where).toContainText('2026.11.10');
    await scans.hit('glasswing_stub').click();
    for (const match of glasswingMatches) await scans.goTo('glasswing_stub', match);
    expect(await filesHolding(vitrine.folder, 'rule glasswing_stub')).toEqual([]);
  },
);

/** What the rule glasswing_stub finds in its sample file. */
const glasswingMatches = [
  { id: '$stub', offset: '0x4e', length: 38 },
  { id: '$signature', offset: '0x80', length: 6 },
  { id: '$mark', offset: '0x200', length: 32 },
];

const three =
  'rule three_places : places\n{\n    meta:\n        author = "test"\n        family = "paperwasp"\n' +
  '    strings:\n        $first = "first place"\n        $second = { 80 34 08 5c }\n' +
  '        $third = "third" wide\n    condition:\n        all of them\n}\n';
const placed = Buffer.concat([
  Buffer.alloc(64, 0x20),
  Buffer.from('first place'),
  Buffer.alloc(181),
  Buffer.from([0x80, 0x34, 0x08, 0x5c]),
  Buffer.alloc(252),
  Buffer.from('third', 'utf16le'),
]);
const places = [
  { id: '$first', offset: '0x40', length: 11 },
  { id: '$second', offset: '0x100', length: 4 },
  { id: '$third', offset: '0x200', length: 10 },
];

test('a dropped file is scanned locally and by a field-dialect rule editor, with its matches in the bytes', async ({
  vitrine,
}) => {
  const team = await startRulesTeam(join(vitrine.folder, 'team-lab'), {
    names: 'other',
    rights: 'read,download,scan',
    rules: { version: '2026.12.1', text: three },
  });
  const publications = await useRulesTeam(vitrine, team);
  await publications.check();
  await publications.step(/^Install 2026\.12\.1/).click();
  await publications.activeVersion('2026.12.1');
  const scans = new ScanPage(vitrine.page);
  await scans.open();
  await scans.pick([{ name: 'update_helper.dll', bytes: placed }]);
  await scans.with('Both, compared');
  await scans.scan();
  await expect(scans.where).toContainText('Both engines agree');
  await scans.hit('three_places').click();
  for (const match of places) await scans.goTo('three_places', match);
  await vitrine.page.getByRole('button', { name: 'Show reply' }).click();
  await expect(scans.dialog).toContainText('has_matches');
  await vitrine.page.keyboard.press('Escape');
  await team.stop();
});

test(
  'a file that the repository marks TLP:AMBER is not sent to the rule editor',
  { tag: '@long' },
  async ({ vitrine }) => {
    const team = await startRulesTeam(join(vitrine.folder, 'team-lab'), {
      names: 'other',
      rights: 'read,download,scan',
    });
    await useRulesTeam(vitrine, team);
    const lookup = new LookupPage(vitrine.page);
    await lookup.open();
    await lookup.ask(glasswingMd5);
    await lookup.sample('invoice_2291.exe').waitFor();
    await lookup.download();
    const scans = new ScanPage(vitrine.page);
    await scans.open();
    await scans.tick('invoice_2291.exe');
    await scans.with('Rule editor');
    await scans.scan();
    await expect(scans.alert).toContainText('TLP:AMBER');
    expect(team.calls.filter((call) => call.includes('scanfile'))).toEqual([]);
    await team.stop();
  },
);

const glasswingMd5 = '46c5d9694b6935ba37406431c1e13d07';

withRules(
  'after an update the vault is hunted: the new hit and the lost one are named, and what was hit is tagged in one go',
  { tag: '@long' },
  async ({ vitrine }) => {
    const publications = new PublicationsPage(vitrine.page);
    const scans = new ScanPage(vitrine.page);
    await scans.startOver();
    await scans.hunt('All rules');
    await expect(scans.show(/^10 with hits/)).toBeVisible();
    await publications.open();
    await publications.includeTest();
    await publications.check();
    // One of the three changed rules has another description, and hits as before.
    await vitrine.page.getByText('Hunt the vault afterwards').click();
    await publications.step('Update to 2026.11.17 (+2 −1 ~3)').click();
    await publications.activeVersion('2026.11.17');
    // By its key: the note moves up when the one below it goes, and a pointer may miss it.
    await vitrine.page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    // Its counts move until then.
    await expect(vitrine.page.getByText(/^14 samples scanned: .*, ended/)).toBeVisible();
    await scans.show(/^1 new/).click();
    await expect(scans.page.getByText('png_of_one_pixel').first()).toBeVisible();
    await scans.show(/^1 lost/).click();
    await expect(scans.page.getByText('high_entropy').first()).toBeVisible();
    await scans.show(/^1 new/).click();
    await vitrine.page.getByRole('button', { name: /^Tag/ }).click();
    await scans.dialog.getByRole('radio', { name: 'The listed sample' }).click({ force: true });
    await scans.dialog.getByRole('combobox', { name: 'Tags' }).fill('family:pixel');
    await scans.dialog.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await scans.dialog.getByRole('button', { name: 'Add tags' }).click();
    await expect(vitrine.page.getByText('1 sample tagged')).toBeVisible();
  },
);

test(
  'unknown answers, 413 and a 401 midway are reported as such and never as no hits',
  { tag: '@long' },
  async ({ vitrine }) => {
    const editor = await startRuleEditor();
    editor.publish('1.0', await packed({ 'mine.yar': three }, { version: '1.0' }));
    editor.answer('getfile', said({ file: null }));
    editor.answer('scanfile', said({ status: 'queued', job: 17 }));
    await useRulesTeam(vitrine, { baseUrl: editor.baseUrl, token: 'a-token-of-the-team' });
    const scans = new ScanPage(vitrine.page);
    await scans.open();
    const hasNoAllClear = async (): Promise<void> => {
      await expect(vitrine.page.getByText(/^no hits/i)).toHaveCount(0);
      await expect(scans.show(/no hits/)).toHaveCount(0);
    };
    await scans.pick([{ name: 'strange.bin', bytes: Buffer.from('strange') }]);
    await scans.with('Rule editor');
    await scans.scan();
    await expect(vitrine.page.getByText('Unexpected response from the rule editor')).toBeVisible();
    await expect(vitrine.page.getByText('queued').first()).toBeVisible();
    await hasNoAllClear();

    editor.answer('scanfile', refusal(413));
    await scans.startOver();
    await scans.pick([{ name: 'whole.bin', bytes: Buffer.from('whole') }]);
    await scans.scan();
    await expect(scans.alert).toContainText('Too large for the rule editor (413)');
    await hasNoAllClear();

    editor.answer('scanfile', inTurn(said([]), refusal(401)));
    await scans.startOver();
    await scans.pick([
      { name: 'early.bin', bytes: Buffer.from('early') },
      { name: 'late.bin', bytes: Buffer.from('late') },
    ]);
    await scans.scan();
    await expect(scans.alert.filter({ hasText: 'Token rejected (401)' }).first()).toBeVisible();
    await expect(scans.show(/no hits/)).toHaveText('1 no hits');
    await editor.close();
  },
);

test(
  'a file hit only by the rules of an earlier package shows no hits, with the older hit beside it',
  { tag: '@long' },
  async ({ vitrine }) => {
    const editor = await startRuleEditor();
    editor.publish('1.0', await packed({ 'mine.yar': three }, { version: '1.0' }));
    const publications = await useRulesTeam(vitrine, { baseUrl: editor.baseUrl, token: 'a-token-of-the-team' });
    await publications.check();
    await publications.step(/^Install 1\.0/).click();
    await publications.activeVersion('1.0');
    const scans = new ScanPage(vitrine.page);
    const files = [
      { name: 'update_helper.dll', bytes: placed },
      { name: 'plain.txt', bytes: Buffer.from('nothing here') },
    ];
    await scans.open();
    await scans.pick(files);
    await scans.with('Local');
    await scans.scan();
    await expect(scans.show(/with hits/)).toHaveText('1 with hits');
    await publications.open();
    editor.publish(
      '1.1',
      await packed({ 'mine.yar': three.replace('"first place"', '"another place"') }, { version: '1.1' }),
    );
    await publications.askAgain();
    await publications.step(/^Update to 1\.1/).click();
    await publications.activeVersion('1.1');
    await scans.startOver();
    await scans.pick(files);
    await scans.scan();
    await expect(scans.show(/no hits/)).toHaveText('2 no hits');
    await expect(scans.files.getByRole('row').filter({ hasText: 'update_helper.dll' })).toContainText('1 older hit');
    await expect(scans.files.getByRole('row').filter({ hasText: 'plain.txt' })).not.toContainText('older');
    await scans.files.getByRole('row').filter({ hasText: 'update_helper.dll' }).click();
    await expect(vitrine.page.getByRole('heading', { name: 'No hits in update_helper.dll (1 rule)' })).toBeVisible();
    await expect(vitrine.page.getByRole('note').filter({ hasText: 'Also known' })).toContainText(
      '1 older hit, with rules 1.0: three_places.',
    );
    await editor.close();
  },
);

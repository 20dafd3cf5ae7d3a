import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { filesHolding } from '../disk.ts';
import { type Desk, expect, test } from '../fixtures.ts';
import { CaseDialog } from '../pages/case-dialog.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { glasswing } from '../specimens.ts';
import { sha256Of } from '../zip-check.ts';

test.use({ beginsWith: 'specimens' });

/** Of the lab's specimens one is marked and noted, and all of them are ticked in the library. */
async function tickSpecimens({ page }: Desk): Promise<LibraryPage> {
  const sample = new SamplePage(page);
  await sample.openFromLibrary(glasswing.slice(0, 12));
  await sample.setTlp('AMBER');
  await sample.writeNote('Seen at the **gate**');
  await sample.back();
  const library = new LibraryPage(page);
  await expect(library.line('14 samples')).toBeVisible();
  await library.table.getByRole('row').nth(1).click();
  await page.keyboard.press('Control+a');
  return library;
}

/**
 * The text of the file that appears in a folder when something is done; of two in one second the second has a number.
 */
async function written(folder: string, ending: string, act: () => Promise<void>): Promise<string> {
  const before = await readdir(folder);
  await act();
  const come = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => !before.includes(name) && !name.endsWith('.part'));
  const unnumbered = async (): Promise<string[]> =>
    (await come()).map((name) => name.replace(/ \(\d+\)(?=\.\w+$)/, ''));
  await expect.poll(unnumbered).toEqual([expect.stringMatching(new RegExp(`${ending.replaceAll('.', '\\.')}$`))]);
  const file = join(folder, (await come()).join(''));
  // Its name is taken before it is whole.
  await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(0);
  return readFile(file, 'utf8');
}

/** Writes a case of the ticked specimens in a format, as a person does. */
async function writeCase({ page, exportFolder }: Desk, format: RegExp, ending: string): Promise<string> {
  const dialog = new CaseDialog(page);
  await dialog.openByKey();
  await expect(page.getByRole('heading', { name: 'Export a case of 14 samples?' })).toBeVisible();
  await expect(dialog.level('RED')).toBeChecked();
  await expect(dialog.level('AMBER')).toBeDisabled();
  await dialog.vouch();
  await dialog.mark('AMBER');
  await expect(dialog.level('GREEN')).toBeDisabled();
  await dialog.as(format);
  await dialog.title.fill('Gate 2026-114');
  await dialog.tellNotes();
  return written(exportFolder, ending, () => dialog.toFolder());
}

test(
  'ticked samples are exported as a case, a table and for other programs, with no sample bytes',
  { tag: '@long' },
  async ({ desk }) => {
    await tickSpecimens(desk);
    const csv = await writeCase(desk, /^CSV/, 'Gate 2026-114.csv');
    expect(csv.split('\r\n')[0]).toMatch(/^\ufeffsha256,.*,case_tlp,note$/);
    expect(csv).toContain(`${eicarSha256},`);
    expect(csv).toContain('Seen at the **gate**');
    const misp = await writeCase(desk, /^MISP/, 'Gate 2026-114.misp.json');
    expect(JSON.parse(misp)).toMatchObject({
      Event: { info: 'Gate 2026-114', Tag: expect.arrayContaining([expect.objectContaining({ name: 'tlp:amber' })]) },
    });
    expect(misp).toContain(glasswing);
    expect(misp).not.toContain('malware-sample');
    expect(await filesHolding(desk.folder, eicarString)).toEqual([]);
  },
);

test(
  'a case leaves in several formats from one dialog, each file named by its title',
  { tag: '@long' },
  async ({ desk }) => {
    await tickSpecimens(desk);
    const dialog = new CaseDialog(desk.page);
    await dialog.openByKey();
    await dialog.title.fill('Отчёт: Gate 2026/114');
    for (const format of [/^STIX/, /^CSV/]) await dialog.dialog.getByRole('checkbox', { name: format }).press('Space');
    await dialog.toFolder();
    const whole = async (): Promise<string[]> =>
      (await readdir(desk.exportFolder)).filter((name) => !name.startsWith('.')).toSorted();
    await expect
      .poll(whole)
      .toEqual(['Отчёт- Gate 2026-114.csv', 'Отчёт- Gate 2026-114.misp.json', 'Отчёт- Gate 2026-114.stix.json']);
  },
);

test('samples that are ticked leave as a case in each of the further formats', { tag: '@long' }, async ({ desk }) => {
  await tickSpecimens(desk);
  const lines = (await writeCase(desk, /^JSON Lines/, 'Gate 2026-114.jsonl'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toHaveLength(14);
  expect(lines).toContainEqual(expect.objectContaining({ sha256: glasswing, tlp: 'amber', caseTlp: 'amber' }));
  const markdown = await writeCase(desk, /^Markdown/, 'Gate 2026-114.md');
  for (const part of ['Gate 2026-114', glasswing, eicarSha256, 'TLP:AMBER']) expect(markdown).toContain(part);
  const html = await writeCase(desk, /^HTML/, 'Gate 2026-114.html');
  for (const part of ['Gate 2026-114', glasswing, 'TLP:AMBER']) expect(html).toContain(part);
  expect(html).not.toMatch(/<script|src="http/);
  const stix: unknown = JSON.parse(await writeCase(desk, /^STIX/, 'Gate 2026-114.stix.json'));
  expect(stix).toMatchObject({
    type: 'bundle',
    objects: expect.arrayContaining([
      expect.objectContaining({ type: 'file', hashes: expect.objectContaining({ 'SHA-256': glasswing }) }),
    ]),
  });
  expect(await filesHolding(desk.folder, eicarString)).toEqual([]);
});

test(
  'a sample that was ticked leaves in its event behind a password, and another program opens it',
  { tag: '@long' },
  async ({ desk }) => {
    const library = await tickSpecimens(desk);
    await desk.page.keyboard.press('Escape');
    await library.row(eicarSha256.slice(0, 12)).click();
    const dialog = new CaseDialog(desk.page);
    await dialog.openByKey();
    await dialog.as(/^MISP/);
    await dialog.withSamples();
    const event = await written(desk.exportFolder, '.misp.json', () => dialog.toFolder());
    const data = /"data":\s*"([A-Za-z0-9+/=]{40,})"/.exec(event)?.[1] ?? '';
    const zip = join(desk.folder, 'from-event.zip');
    await writeFile(zip, Buffer.from(data, 'base64'));
    expect(await sha256Of(zip, eicarMd5, 'infected')).toBe(eicarSha256);
    expect(await filesHolding(desk.folder, eicarString)).toEqual([]);
  },
);

test(
  'samples that came in bulk are as strict as their records say, once these were asked for',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await tickSpecimens(desk);
    const dialog = new CaseDialog(page);
    await dialog.openByKey();
    await expect(dialog.dialog.getByText(/^The TLP of 12 samples is unknown/)).toBeVisible();
    await dialog.dialog.getByRole('button', { name: 'Fetch metadata from Lab (this computer)' }).press('Enter');
    await expect(dialog.dialog.getByText('The strictest sample is RED', { exact: false })).toBeVisible();
    await expect(dialog.dialog.getByRole('checkbox', { name: /^I know their TLP/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog.dialog).toBeHidden();
    await page.keyboard.press('Control+8');
    await expect(page.getByText(/^Metadata of 14 samples: 12 fetched, 2 already known$/).first()).toBeVisible();
  },
);

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { filesHolding } from '../disk.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { CaseDialog } from '../pages/case-dialog.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { glasswing } from '../sample-files.ts';
import { sha256Of } from '../zip-check.ts';

test.use({ beginsWith: 'sample-files' });

/** One of the lab's sample files is marked and noted, and all of them are ticked in the library. */
async function tickSampleFiles({ page }: Vitrine): Promise<LibraryPage> {
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

/** Writes a case of the ticked sample files in a format, as a person does. */
async function writeCase({ page, exportFolder }: Vitrine, format: RegExp, ending: string): Promise<string> {
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
  await dialog.reportNotes();
  return written(exportFolder, ending, () => dialog.toFolder());
}

test(
  'ticked samples are exported as a case, a table and for other programs, with no sample bytes',
  { tag: '@long' },
  async ({ vitrine }) => {
    await tickSampleFiles(vitrine);
    const csv = await writeCase(vitrine, /^CSV/, 'Gate 2026-114.csv');
    expect(csv.split('\r\n')[0]).toMatch(/^\ufeffsha256,.*,case_tlp,note$/);
    expect(csv).toContain(`${eicarSha256},`);
    expect(csv).toContain('Seen at the **gate**');
    const misp = await writeCase(vitrine, /^MISP/, 'Gate 2026-114.misp.json');
    expect(JSON.parse(misp)).toMatchObject({
      Event: { info: 'Gate 2026-114', Tag: expect.arrayContaining([expect.objectContaining({ name: 'tlp:amber' })]) },
    });
    expect(misp).toContain(glasswing);
    expect(misp).not.toContain('malware-sample');
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);

test(
  'a case is exported in several formats from one dialog, each file named by its title',
  { tag: '@long' },
  async ({ vitrine }) => {
    await tickSampleFiles(vitrine);
    const dialog = new CaseDialog(vitrine.page);
    await dialog.openByKey();
    await dialog.title.fill('Отчёт: Gate 2026/114');
    for (const format of [/^STIX/, /^CSV/]) await dialog.dialog.getByRole('checkbox', { name: format }).press('Space');
    await dialog.toFolder();
    const whole = async (): Promise<string[]> =>
      (await readdir(vitrine.exportFolder)).filter((name) => !name.startsWith('.')).toSorted();
    await expect
      .poll(whole)
      .toEqual(['Отчёт- Gate 2026-114.csv', 'Отчёт- Gate 2026-114.misp.json', 'Отчёт- Gate 2026-114.stix.json']);
  },
);

test('ticked samples are exported as a case in each of the other formats', { tag: '@long' }, async ({ vitrine }) => {
  await tickSampleFiles(vitrine);
  const lines = (await writeCase(vitrine, /^JSON Lines/, 'Gate 2026-114.jsonl'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toHaveLength(14);
  expect(lines).toContainEqual(expect.objectContaining({ sha256: glasswing, tlp: 'amber', caseTlp: 'amber' }));
  const markdown = await writeCase(vitrine, /^Markdown/, 'Gate 2026-114.md');
  for (const part of ['Gate 2026-114', glasswing, eicarSha256, 'TLP:AMBER']) expect(markdown).toContain(part);
  const html = await writeCase(vitrine, /^HTML/, 'Gate 2026-114.html');
  for (const part of ['Gate 2026-114', glasswing, 'TLP:AMBER']) expect(html).toContain(part);
  expect(html).not.toMatch(/<script|src="http/);
  const stix: unknown = JSON.parse(await writeCase(vitrine, /^STIX/, 'Gate 2026-114.stix.json'));
  expect(stix).toMatchObject({
    type: 'bundle',
    objects: expect.arrayContaining([
      expect.objectContaining({ type: 'file', hashes: expect.objectContaining({ 'SHA-256': glasswing }) }),
    ]),
  });
  expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
});

test(
  'a ticked sample is exported inside its event with a password, and another program opens it',
  { tag: '@long' },
  async ({ vitrine }) => {
    const library = await tickSampleFiles(vitrine);
    await vitrine.page.keyboard.press('Escape');
    await library.row(eicarSha256.slice(0, 12)).click();
    const dialog = new CaseDialog(vitrine.page);
    await dialog.openByKey();
    await dialog.as(/^MISP/);
    await dialog.withSamples();
    const event = await written(vitrine.exportFolder, '.misp.json', () => dialog.toFolder());
    const data = /"data":\s*"([A-Za-z0-9+/=]{40,})"/.exec(event)?.[1] ?? '';
    const zip = join(vitrine.folder, 'from-event.zip');
    await writeFile(zip, Buffer.from(data, 'base64'));
    expect(await sha256Of(zip, eicarMd5, 'infected')).toBe(eicarSha256);
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);

test(
  'samples from a bulk download are as strict as their records once the metadata was fetched',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { page } = vitrine;
    await tickSampleFiles(vitrine);
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

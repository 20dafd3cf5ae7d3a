import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { eicarMd5 } from '../eicar.ts';
import { lookAndGoOver } from '../looks/look.ts';
import type { LookupPage } from '../pages/lookup-page.ts';

const server = 'https://zqxsamples.invalid/qvzrepo';
const token = 'Zqx7-token-Kf9Wj2vYp';
const unwanted = ['zqx', 'qvz', Buffer.from('zqxsamples').toString('base64').slice(0, 12), eicarMd5, 'eicar'];

async function filesOf(zip: Buffer): Promise<Map<string, string>> {
  const reader = new ZipReader(new Uint8ArrayReader(zip));
  const files = new Map<string, string>();
  for (const entry of await reader.getEntries())
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  return files;
}

/** As the host lets a person have it: in the folder that its picker answers, or as a download. */
async function savedFile({ page, folder, exportFolder }: Vitrine, isDesktop: boolean): Promise<Buffer> {
  if (isDesktop) {
    await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible();
    const [name = ''] = (await readdir(exportFolder)).filter((one) => one.startsWith('vitrine-diagnostics-'));
    await expect(page.getByText(join(exportFolder, name))).toBeVisible();
    return readFile(join(exportFolder, name));
  }
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save ZIP' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^vitrine-diagnostics-\d{8}T\d{6}Z\.zip$/);
  await download.saveAs(join(folder, 'saved.zip'));
  await expect(page.getByRole('link', { name: 'Save ZIP' })).toBeHidden();
  return readFile(join(folder, 'saved.zip'));
}

async function failingLookup(lookup: LookupPage): Promise<void> {
  await lookup.open();
  await lookup.ask(eicarMd5);
  await expect(lookup.alert).toBeVisible();
}

test('diagnostics are saved by one button and include a failed look-up without its server or sample', async ({
  vitrine,
  lookup,
  settings,
}, testInfo) => {
  await lookup.ask(eicarMd5);
  await lookup.download();
  await expect(lookup.inVault).toBeVisible();
  await settings.addWorkspace({ name: 'Zqxteam', repository: server, token });
  await settings.switchTo('Zqxteam');
  await failingLookup(lookup);

  await settings.open('About');
  await vitrine.page.getByRole('button', { name: 'Save diagnostics…' }).click();
  const files = await filesOf(await savedFile(vitrine, testInfo.project.name === 'desktop'));
  expect([...files.keys()]).toEqual([
    'README.txt',
    'about.json',
    'log.jsonl',
    'settings.json',
    'failures.json',
    'jobs.json',
    'database.json',
  ]);
  for (const [name, text] of files)
    for (const one of [...unwanted, vitrine.folder])
      expect(text.toLowerCase(), `${name}: ${one}`).not.toContain(one.toLowerCase());
  expect(JSON.parse(files.get('settings.json') ?? '')).toMatchObject({
    currentWorkspace: 'workspace-1',
    workspaces: [{ workspace: 'workspace-1', repository: 'https://server-1/path', ruleEditor: null }],
  });
  expect(JSON.parse(files.get('failures.json') ?? '')).toMatchObject({
    answers: [{ operation: 'samples.lookup', kind: 'unreachable', service: 'repository', reason: 'name' }],
  });
  expect(JSON.parse(files.get('about.json') ?? '')).toMatchObject({
    running: { data: 'there', engine: { chosen: 'auto' } },
  });
});

test('diagnostics of a database that was damaged while open are saved and list what is missing', async ({
  vitrine,
}, testInfo) => {
  // Windows does not let a program write over an open file.
  test.skip(process.platform === 'win32', 'the database is written over while it is open');
  await writeFile(join(vitrine.dataDirectory, 'vitrine.db'), 'x'.repeat(8_192));
  await vitrine.page.keyboard.press('Control+k');
  await vitrine.page.keyboard.type('bug report');
  await vitrine.page.getByRole('option', { name: 'Save diagnostics…' }).click();
  await expect(vitrine.page.getByText('Database: data-damaged', { exact: false })).toBeVisible();
  await lookAndGoOver(vitrine.page, 'diagnostics');
  const files = await filesOf(await savedFile(vitrine, testInfo.project.name === 'desktop'));
  expect([...files.keys()]).toEqual(['README.txt', 'about.json', 'log.jsonl', 'failures.json']);
  expect(files.get('README.txt')).toContain('Missing, with the reason');
});

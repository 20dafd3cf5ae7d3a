import { join } from 'node:path';
import { type ElectronDesktop, startDesktop } from '../desktop.ts';
import { callsOverBridge } from '../host-calls.ts';
import { filesHolding } from '../disk.ts';
import { eicarMd5, eicarString } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { WelcomePage } from '../pages/welcome-page.ts';
import { expectGuardedWindow } from '../real-window.ts';
import { startTeam } from '../team.ts';
import { workIn } from '../workspace.ts';

/**
 * The packed program with the one fuse left on by which its page is reached: everything of it comes out of the archive.
 */
const start = (folder: string): Promise<ElectronDesktop> =>
  startDesktop({ folder, dataDirectory: join(folder, 'data'), exportFolder: join(folder, 'exports') });

test('the packed program guards its window when it runs from its archive', async ({ folder }) => {
  const { app, page, stop } = await start(folder);
  expect(await app.evaluate(({ app: own }) => [own.isPackaged, own.getAppPath().endsWith('app.asar')])).toEqual([
    true,
    true,
  ]);
  await expectGuardedWindow(app, page);
  await stop();
});

test('the packed program does a first day of work and keeps all of it after a restart', async ({ folder }) => {
  const first = await start(folder);
  await welcome(first);
  await installAndRollBack(first);
  await scanWithBoth(first);
  await first.stop();
  expect(await filesHolding(folder, eicarString)).toEqual([]);

  const again = await start(folder);
  const lookup = new LookupPage(again.page);
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await expect(lookup.inVault).toBeVisible();
  const publications = new PublicationsPage(again.page);
  await publications.open();
  await publications.activeVersion('2026.11.10');
  const scans = new ScanPage(again.page);
  await scans.open();
  await again.page.getByRole('row', { name: /^Scan, 2 files 2 with hits/ }).dblclick();
  await expect(scans.files.getByRole('row').filter({ hasText: 'x.asar' })).toBeVisible();
  await again.stop();
});

async function welcome({ page }: ElectronDesktop): Promise<void> {
  const steps = new WelcomePage(page);
  await expect(steps.step('How samples are stored')).toBeVisible();
  await steps.goOn();
  await page.getByRole('button', { name: 'Continue with the lab' }).click();
  await page.getByRole('region', { name: 'Look up a sample file' }).getByRole('button', { name: 'eicar.com' }).click();
  const lookup = new LookupPage(page);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await lookup.download();
}

async function installAndRollBack({ page }: ElectronDesktop): Promise<void> {
  const publications = new PublicationsPage(page);
  await publications.open();
  await publications.check();
  await publications.step('Install 2026.11.10 (15 rules)').click();
  await publications.activeVersion('2026.11.10');
  await publications.includeTest();
  await publications.check();
  await publications.step('Update to 2026.11.17 (+2 −1 ~3)').click();
  await publications.activeVersion('2026.11.17');
  await publications.packages.getByRole('button', { name: 'Roll back to 2026.11.10' }).click();
  await publications.activeVersion('2026.11.10');
}

/**
 * By the native engine, which lies beside the archive, and by the lab's rule editor. Electron takes a path ending in
 * `.asar` for an archive of its own.
 */
async function scanWithBoth(desktop: ElectronDesktop): Promise<void> {
  const { page } = desktop;
  const call = callsOverBridge(page);
  const sampleFile = (await call('lab.sampleFiles', {})).sampleFiles.find(({ name }) => name === 'invoice_2291.exe');
  const lookup = new LookupPage(page);
  await lookup.open();
  await lookup.ask(sampleFile?.md5 ?? '');
  await lookup.sample('invoice_2291.exe').waitFor();
  await lookup.download();
  const scans = new ScanPage(page);
  await scans.open();
  await scans.pick([{ name: 'x.asar', bytes: executable }]);
  await scans.tick('invoice_2291.exe');
  await scans.with('Both, compared');
  await scans.scan();
  await scans.files.getByRole('row').filter({ hasText: 'invoice_2291.exe' }).click();
  await expect(scans.hit('glasswing_stub')).toBeVisible();
  await expect(scans.where).toContainText(/Engine\s*native/);
  await expect(scans.where).toContainText('Both engines agree');
  await scans.files.getByRole('row').filter({ hasText: 'x.asar' }).click();
  await expect(scans.hit('windows_executable')).toBeVisible();
  await expect(scans.where).toContainText(/Engine\s*native/);
  await page.keyboard.press('Escape');
}

/** As much of a Windows program as the rule windows_executable asks for. */
const executable = Buffer.alloc(1024);
executable.write('MZ', 0, 'latin1');
executable.writeUInt32LE(0x80, 0x3c);
executable.write('PE\0\0', 0x80, 'latin1');

const passphrase = 'a long enough passphrase';

test('a job continues after the packed program quit in the middle of it', async ({ folder }) => {
  const team = await startTeam(join(folder, 'team-lab'), { samples: 40 });
  const first = await start(folder);
  await new WelcomePage(first.page).skip();
  await new SettingsPage(first.page).sealTokens(passphrase);
  await workIn(
    { page: first.page, call: callsOverBridge(first.page) },
    { name: 'Team', repository: team.baseUrl, token: team.token },
  );
  const before = new BulkPage(first.page);
  await before.open();
  await before.paste(team.samples.join('\n'));
  team.faults.gate.hold(20);
  await before.start();
  await team.faults.gate.holding();
  await first.stop();
  team.faults.gate.release();

  const again = await start(folder);
  await new SettingsPage(again.page).unlockTokens(passphrase);
  const after = new BulkPage(again.page);
  await after.open();
  // What the locked tokens halted has resumed by itself.
  await expect(after.outcome('40 done')).toBeVisible();
  await again.stop();
  await team.stop();
});

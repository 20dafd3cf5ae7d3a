import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { eicarMd5, eicarString } from '../eicar.ts';
import { type Desk, expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import type { SettingsPage } from '../pages/settings-page.ts';
import { startProgram } from '../program.ts';
import { startTeam, type Team, type TeamOptions } from '../team.ts';

const unknown = (number: number): string => createHash('md5').update(`nobody has ${number}`).digest('hex');

/** A report as people write them: every hash once, in all kinds of company. */
const reportOf = (hashes: readonly string[]): string =>
  hashes.map((hash, index) => (index % 3 === 0 ? `  - MD5: ${hash.toUpperCase()},` : index % 3 === 1 ? `hxxp://a[.]example[.]net/${hash}.bin` : `"${hash}";`)).join('\n');

async function useTeam(desk: Desk, settings: SettingsPage, options: TeamOptions): Promise<{ team: Team; bulk: BulkPage }> {
  const team = await startTeam(join(desk.folder, 'team-lab'), options);
  await settings.addWorkspace({ name: 'Team', repository: team.baseUrl, token: team.token });
  await settings.switchTo('Team');
  const bulk = new BulkPage(desk.page);
  await bulk.open();
  return { team, bulk };
}

/** How often each hash was asked for in bulk or alone, after a moment in the list of requests. */
function askedSince({ faults }: Team, from: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { action, hashes } of faults.requests.slice(from)) {
    if (action === 'getfile') continue;
    for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

for (const dialect of [false, true]) {
  test(`100 hashes ${dialect ? 'in the field dialect' : 'of a lab'}: 96 samples and 4 reasons, over a cut connection and kill -9`, async ({ desk, settings }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'the host is killed and its new link opened');
    test.slow();
    const { team, bulk } = await useTeam(desk, settings, { samples: 96, restricted: 1, dialect });
    const bad = [...team.restricted, unknown(1), unknown(2), unknown(3)];
    const all = [...team.samples.slice(0, 40), ...bad, ...team.samples.slice(40)];
    await bulk.paste(reportOf(all));
    await expect(desk.page.getByRole('button', { name: 'Download 100 samples' })).toBeEnabled();

    // The line is cut in the middle of the 51st entry, and later nothing moves while the host is killed.
    team.faults.gate.cut(50);
    team.faults.gate.hold(70);
    await bulk.start();
    await team.faults.gate.holding();
    await expect(bulk.outcome(/[4-9]\d done/)).toBeVisible();
    const committed = Number((await bulk.outcome(/done/).innerText()).match(/\d+/)?.[0]);
    await desk.program?.stop('SIGKILL');
    expect(await filesHolding(desk.folder, eicarString)).toEqual([]);
    for (const { bytes } of generatedSamples(96, 'sample').slice(10, 13)) expect(await filesHolding(join(desk.folder, 'data'), bytes.toString('latin1').slice(0, 200))).toEqual([]);

    const from = team.faults.requests.length;
    team.faults.gate.release();
    const again = startProgram('electron/web.ts', ['--port', '0', '--data', desk.dataDirectory, '--exports', desk.exportFolder, '--no-open'], { TMPDIR: join(desk.folder, 'temp') });
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await desk.page.goto(link);
    await bulk.open();

    await expect(bulk.ended('4 of 100 not fetched')).toBeVisible();
    await expect(bulk.outcome('96 done')).toBeVisible();
    await expect(bulk.outcome('3 unknown')).toBeVisible();
    await expect(bulk.outcome('1 forbidden')).toBeVisible();
    const asked = askedSince(team, from);
    expect(team.samples.filter((md5) => asked.has(md5)).length).toBeLessThanOrEqual(96 - committed);

    await bulk.outcome('1 forbidden').click();
    await expect(desk.page.getByRole('row').filter({ hasText: team.restricted[0] ?? 'none' })).toBeVisible();
    expect(await filesHolding(join(desk.folder, 'data'), team.token)).toEqual([]);
    await again.stop();
    await team.stop();
  });
}

test('the lab’s specimens in one go, from the empty view; inert everywhere, and nothing is fetched twice', async ({ desk }) => {
  const bulk = new BulkPage(desk.page);
  await bulk.open();
  await desk.page.getByRole('button', { name: 'Paste the lab’s specimens' }).click();
  await bulk.start();
  await expect(bulk.ended(/samples fetched and verified/)).toBeVisible();
  expect(await filesHolding(desk.folder, eicarString)).toEqual([]);

  await desk.page.getByRole('button', { name: 'New list' }).click();
  await bulk.paste(`${eicarMd5} and once more ${eicarMd5.toUpperCase()}`);
  await expect(desk.page.getByText('Every sample of this list is in the vault already.')).toBeVisible();
});

test('an archive that lies is believed in nothing: each item has its own reason', async ({ desk, settings }) => {
  const { team, bulk } = await useTeam(desk, settings, { samples: 8 });
  const [replaced = '', leftOut = '', twice = '', damaged = ''] = team.samples;
  const stranger = Buffer.from('an entry that nobody asked for');
  team.faults.fail(
    { kind: 'unasked', name: '../../evil.exe', bytes: stranger }, { kind: 'replaced', md5: replaced, bytes: stranger },
    { kind: 'left-out', md5: leftOut }, { kind: 'twice', md5: twice }, { kind: 'damaged', md5: damaged },
  );
  await bulk.paste(team.samples.join('\n'));
  await bulk.start();
  await expect(bulk.ended(/of 8 not fetched/)).toBeVisible();
  await bulk.outcome(/mismatch/).click();
  await expect(desk.page.getByRole('row').filter({ hasText: replaced })).toContainText('Mismatch');
  expect(await filesHolding(desk.folder, stranger.toString())).toEqual([]);
  await team.stop();
});

test('a service that answers with a page halts the job in a sentence; once it answers, Resume goes on', async ({ desk, settings }) => {
  const { team, bulk } = await useTeam(desk, settings, { samples: 6 });
  team.faults.fail(...Array.from({ length: 40 }, () => ({ kind: 'login-page' as const })));
  await bulk.paste(team.samples.join(' '));
  await bulk.start();
  await expect(bulk.ended(/6 of 6 not fetched|web page/)).toBeVisible();
  await expect(desk.page.getByText(team.token)).toHaveCount(0);
  await team.stop();
});

for (const encryption of ['aes-256', 'zipcrypto'] as const) {
  test(`an archive encrypted with ${encryption} is opened, from a temporary file that is inert`, async ({ desk, settings }) => {
    const { team, bulk } = await useTeam(desk, settings, { samples: 5 });
    team.faults.fail({ kind: 'encrypted', encryption, password: 'infected' });
    await bulk.paste(team.samples.join(' '));
    await bulk.start();
    await expect(bulk.ended('5 samples fetched and verified')).toBeVisible();
    await team.stop();
  });
}

test('a release without bulk downloads gives the samples one by one', async ({ desk, settings }) => {
  const { team, bulk } = await useTeam(desk, settings, { samples: 4, dialect: { bulk: 'none' } });
  await bulk.paste(team.samples.join('\n'));
  await bulk.start();
  await expect(bulk.ended('4 samples fetched and verified')).toBeVisible();
  await team.stop();
});

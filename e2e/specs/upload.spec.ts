import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { zipBy7z } from '../faults/encrypted-zip.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { recordOf, recordsOf } from '../lab-reading.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { startProgram } from '../program.ts';
import { savedComment, stagedFiles } from '../staged.ts';
import { startTeam, type Team, type TeamOptions } from '../team.ts';
import { workIn } from '../workspace.ts';

const passphrase = 'a long enough passphrase';
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

async function useTeam(vitrine: Vitrine, options: TeamOptions = {}): Promise<{ team: Team; upload: UploadPage }> {
  const team = await startTeam(join(vitrine.folder, 'team-lab'), {
    rights: 'read,download,upload,comment',
    ...options,
  });
  await workIn(vitrine, { name: 'Team', repository: team.uploads.baseUrl, token: team.token });
  const upload = new UploadPage(vitrine.page);
  await upload.open();
  return { team, upload };
}

/** Files of this computer, outside of every folder the program writes to. */
async function folderOf(vitrine: Vitrine, name: string, files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const folder = join(vitrine.folder, 'given', name);
  await mkdir(folder, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(folder, file), bytes);
  return folder;
}

const fresh = (kind: string, count: number): { name: string; bytes: Buffer; md5: string }[] =>
  Array.from({ length: count }, (_, index) => {
    const bytes = randomBytes(3000 + index);
    return { name: `${kind}-${index + 1}.bin`, bytes, md5: md5Of(bytes) };
  });
const asFiles = (files: readonly { name: string; bytes: Buffer }[]): Record<string, Buffer> =>
  Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));

for (const dialect of [false, true]) {
  test(
    `a folder of 12 files is uploaded completely and exactly${dialect ? ' in the field dialect' : ''}`,
    { tag: dialect ? [] : '@long' },
    async ({ vitrine }) => {
      const { team, upload } = await useTeam(vitrine, { samples: 3, dialect });
      const known = generatedSamples(3, 'sample');
      const [plain, members] = [fresh('wave', 7), fresh('member', 5)];
      const archive = await zipBy7z(members, { encryption: 'aes-256', password: 'infected' });
      const folder = await folderOf(vitrine, 'case 114', {
        ...asFiles(known),
        ...asFiles(plain),
        'empty.txt': Buffer.alloc(0),
        'carrier.zip': archive,
      });
      await upload.drop(folder);

      await expect(vitrine.page.getByText('17 files staged')).toBeVisible();
      await expect(upload.amount('To send')).toHaveText('12');
      await expect(upload.amount('Already there')).toHaveText('3');
      await expect(upload.row('empty.txt')).toContainText('Empty, skipped');
      await expect(upload.row('carrier.zip')).toContainText('opened, 5 members');
      await expect(upload.row(known[0]?.name ?? '')).toContainText('Already there');

      await upload.tagTicked('family:quillpost');
      await upload.setTlp('wave-1.bin', 'AMBER');
      await upload.setTlp('wave-2.bin', 'GREEN');
      await upload.flag('wave-2.bin', 'VirusTotal');
      await upload.flag('member-3.bin', 'Sandbox');
      await expect(upload.row('wave-1.bin').getByLabel('TLP:AMBER: not forwarded to VirusTotal')).toBeVisible();
      await expect(
        vitrine.page.getByText('The repository of Team forwards copies to VirusTotal and Sandbox.'),
      ).toBeVisible();
      await upload.comment.fill('Mail wave of 17 November, second stage and carriers.');
      expect(team.uploads.requestsOf('uploadfiles')).toEqual([]);
      await upload.send();

      await expect(vitrine.page.getByText('12 samples stored')).toBeVisible();
      for (const { md5 } of [...plain, ...members]) {
        const record = await recordOf(team, md5);
        const isGreen = md5 === plain[1]?.md5;
        expect(record).toMatchObject({ virusTotal: isGreen, sandbox: md5 === members[2]?.md5 });
        const tlp = md5 === plain[0]?.md5 ? ['tlp:amber'] : isGreen ? ['tlp:green'] : [];
        expect(record?.tags.toSorted()).toEqual(['family:quillpost', ...tlp]);
        expect(record?.comments.map(({ content }) => content)).toEqual([
          'Mail wave of 17 November, second stage and carriers.',
        ]);
      }
      for (const { md5 } of known)
        expect(await recordOf(team, md5)).toMatchObject({ tags: [], virusTotal: false, sandbox: false });
      expect(await recordsOf(team, [md5Of(archive), md5Of(Buffer.alloc(0))])).toEqual([]);

      const forms = team.uploads.requestsOf('uploadfiles').map(({ form }) => form);
      const sent = forms.flatMap((form) => form?.parts ?? []);
      expect(sent.map(({ md5 }) => md5).toSorted()).toEqual([...plain, ...members].map(({ md5 }) => md5).toSorted());
      expect(forms.map((form) => form?.parts.length)).toEqual([10, 2]);
      const at = (md5?: string): number => sent.findIndex((part) => part.md5 === md5);
      const onlyAt = (index: number): string[] => sent.map((_, each) => (each === index ? 'true' : 'false'));
      expect(forms.flatMap((form) => form?.fields['vtsubmit[]'] ?? [])).toEqual(onlyAt(at(plain[1]?.md5)));
      expect(forms.flatMap((form) => form?.fields['cksubmit[]'] ?? [])).toEqual(onlyAt(at(members[2]?.md5)));
      await team.stop();
    },
  );
}

test(
  'a draft survives kill -9, with files, tags and comment, and is sent after the restart',
  { tag: '@long' },
  async ({ vitrine }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'kills the host and opens its new link');
    const settings = new SettingsPage(vitrine.page);
    await settings.sealTokens(passphrase);
    const { team, upload } = await useTeam(vitrine);
    const files = fresh('kept', 4);
    await upload.drop(await folderOf(vitrine, 'kept', asFiles(files)));
    await expect(upload.amount('To send')).toHaveText('4');
    await upload.tagTicked('case:2026-114');
    await upload.setTlp('kept-2.bin', 'RED');
    await upload.comment.fill('Half a thou');
    await expect(upload.row('kept-2.bin')).toContainText('RED');
    // Typed and not yet saved: the host is killed in the middle of it.
    await upload.comment.press('End');
    await upload.comment.pressSequentially('ght');
    await expect.poll(() => savedComment(vitrine)).toBe('Half a thought');
    await vitrine.program?.stop('SIGKILL');
    for (const { bytes } of files)
      expect(await filesHolding(join(vitrine.folder, 'data'), bytes.toString('latin1').slice(0, 200))).toEqual([]);

    const again = startProgram(
      'electron/web.ts',
      ['--port', '0', '--data', vitrine.dataDirectory, '--exports', vitrine.exportFolder, '--no-open'],
      { TMPDIR: join(vitrine.folder, 'temp') },
    );
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await vitrine.page.goto(link);
    await settings.unlockTokens(passphrase);
    await upload.open();
    await expect(upload.row('kept-2.bin')).toContainText('RED');
    await expect(upload.comment).toHaveValue('Half a thought');
    await expect(upload.amount('To send')).toHaveText('4');
    await upload.send();
    await expect(vitrine.page.getByText('4 samples stored')).toBeVisible();
    expect((await recordOf(team, files[1]?.md5 ?? ''))?.tags.toSorted()).toEqual(['case:2026-114', 'tlp:red']);
    await expect.poll(async () => stagedFiles(vitrine)).toEqual([]);
    await again.stop();
    await team.stop();
  },
);

test(
  'a known file of 100 MiB is not sent: under 10 KB move, and its tags can be added as a comment',
  { tag: '@long' },
  async ({ vitrine }) => {
    test.slow();
    const bytes = createHash('shake256', { outputLength: 100 * 1024 * 1024 })
      .update('a large known sample')
      .digest();
    const folder = await folderOf(vitrine, 'known', { 'large.bin': bytes });
    const { team, upload } = await useTeam(vitrine, { files: [join(folder, 'large.bin')] });
    await upload.drop(folder);
    await expect(upload.row('large.bin')).toContainText('Already there', { timeout: 30_000 });
    await upload.tagTicked('family:ashveil');
    await expect(vitrine.page.getByRole('button', { name: /^Send/ })).toBeDisabled();
    const moved = ['getfile', 'uploadfiles'].reduce((sum, action) => sum + team.uploads.counted(action).bytes, 0);
    expect(moved).toBeLessThan(10_000);

    await upload.comment.fill('Seen again in wave two.');
    await vitrine.page.getByRole('button', { name: 'Add to existing samples…' }).click();
    await upload.dialog.getByRole('button', { name: /^Send/ }).click();
    await expect(upload.dialog.getByText('1 comment sent and confirmed')).toBeVisible();
    const record = await recordOf(team, md5Of(bytes));
    expect(record?.comments.map(({ content }) => content)).toEqual(['Seen again in wave two.\nTags: family:ashveil']);
    await team.stop();
  },
);

test('names, tags and comments return exactly as entered', { tag: '@long' }, async ({ vitrine }) => {
  const { team, upload } = await useTeam(vitrine);
  const comment = '100 % + 1 %41 “quotes” "double"\nשלום 😀\t<b>not bold</b> &amp; %0A';
  const names = [
    '100%25 %22quoted" \\back.bin',
    'new\nline %0A.bin',
    'שלום‏-report.exe',
    'emoji 😀+plus.bin',
    'semi;colon=1.bin',
  ];
  const files = names.map((name) => ({ name, bytes: randomBytes(500) }));
  await upload.drop(await folderOf(vitrine, 'odd', asFiles(files)));
  await expect(upload.amount('To send')).toHaveText('5');
  for (const tag of ['note:"50 % off"', 'famille:été😀', 'a+b%2bc', 'שם:ערך']) await upload.tagTicked(tag);
  await upload.comment.fill(comment);
  await upload.send();
  await expect(vitrine.page.getByText('5 samples stored')).toBeVisible();
  for (const { name, bytes } of files) {
    const record = await recordOf(team, md5Of(bytes));
    expect(record?.name).toBe(name);
    expect(record?.tags).toEqual(['note:"50 % off"', 'famille:été😀', 'a+b%2bc', 'שם:ערך']);
    expect(record?.comments.map(({ content }) => content)).toEqual([comment]);
  }
  await team.stop();
});

test(
  'a lost reply is resolved by a query, a refused file keeps its entries, and only failures are resent',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { team, upload } = await useTeam(vitrine);
    const files = fresh('doubt', 3);
    await upload.drop(await folderOf(vitrine, 'doubt', asFiles(files)));
    await expect(upload.amount('To send')).toHaveText('3');
    team.uploads.fail({ kind: 'swallowed-reply' });
    await upload.send();
    await expect(vitrine.page.getByText('3 samples stored')).toBeVisible();
    expect(team.uploads.counted('uploadfiles').requests).toBe(1);

    await vitrine.page.getByRole('button', { name: 'New draft' }).click();
    const more = fresh('refused', 3);
    await upload.drop(await folderOf(vitrine, 'refused', asFiles(more)));
    await expect(upload.amount('To send')).toHaveText('3');
    team.uploads.fail({
      kind: 'rejects',
      md5s: [more[1]?.md5 ?? ''],
      error: "You don't have enough permissions",
      namesMd5: true,
    });
    await upload.send();
    await expect(vitrine.page.getByText('1 of 3 not stored')).toBeVisible();
    await expect(vitrine.page.getByText("Reason: You don't have enough permissions")).toBeVisible();
    await vitrine.page.getByRole('button', { name: 'Retry 1' }).click();
    await expect(vitrine.page.getByText('3 samples stored')).toBeVisible();
    const sent = team.uploads
      .requestsOf('uploadfiles')
      .flatMap(({ form }) => form?.parts ?? [])
      .map(({ md5 }) => md5);
    expect(sent.filter((md5) => md5 === more[1]?.md5)).toHaveLength(2);
    expect(sent).toHaveLength(7);
    await team.stop();
  },
);

test('the last keystrokes of the comment survive an immediate reload', { tag: '@long' }, async ({ vitrine }) => {
  const { team, upload } = await useTeam(vitrine);
  await upload.drop(await folderOf(vitrine, 'one', asFiles(fresh('one', 1))));
  await expect(upload.row('one-1.bin')).toBeVisible();
  await upload.comment.click();
  await vitrine.page.keyboard.type('Seen at two sites, both of them in the north');
  await vitrine.page.reload();
  await upload.open();
  await expect(upload.comment).toHaveValue('Seen at two sites, both of them in the north');
  await team.stop();
});

test('a locked archive waits for its password and then shows its members', { tag: '@long' }, async ({ vitrine }) => {
  const { team, upload } = await useTeam(vitrine);
  const members = fresh('inside', 2);
  const archive = await zipBy7z(members, { encryption: 'zipcrypto', password: 'only we know' });
  await upload.drop(await folderOf(vitrine, 'locked', { 'locked.zip': archive }));
  await expect(upload.row('locked.zip')).toContainText('Locked');
  await upload
    .row('locked.zip')
    .getByRole('button', { name: /enter the password/ })
    .click();
  await upload.dialog.getByLabel('Password').fill('a wrong one');
  await vitrine.page.keyboard.press('Enter');
  await expect(upload.dialog.getByText('Wrong password')).toBeVisible();
  await upload.dialog.getByLabel('Password').fill('only we know');
  await vitrine.page.keyboard.press('Enter');
  await expect(upload.row('inside-2.bin')).toContainText('New');
  await expect(upload.row('locked.zip')).toContainText('opened, 2 members');
  expect(await filesHolding(join(vitrine.folder, 'data'), 'only we know')).toEqual([]);
  await team.stop();
});

import { join } from 'node:path';
import { startDiscussedSample } from '../bench/discussed-sample.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { recordOf } from '../lab-reading.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { startProgram } from '../program.ts';
import { savedCommentDraft } from '../staged.ts';
import { startTeam, type Team, type TeamOptions } from '../team.ts';
import { workIn } from '../workspace.ts';

const passphrase = 'a long enough passphrase';

interface Talk {
  team: Team;
  md5: string;
  lookup: LookupPage;
  comments: CommentsPage;
}

/** A team's repository with one sample, which is looked up. */
async function talkAbout(vitrine: Vitrine, options: TeamOptions = {}): Promise<Talk> {
  const team = await startTeam(join(vitrine.folder, 'team-lab'), { samples: 1, rights: 'read,comment', ...options });
  await workIn(vitrine, { name: 'Team', repository: team.uploads.baseUrl, token: team.token });
  const [lookup, comments, [md5 = '']] = [new LookupPage(vitrine.page), new CommentsPage(vitrine.page), team.samples];
  await lookup.open();
  await lookup.ask(md5);
  await expect(comments.field).toBeVisible();
  return { team, md5, lookup, comments };
}

test('a thread of three levels is written, survives a restart in the middle of a draft, and is read back', async ({
  vitrine,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'kills the host and opens its new link');
  const settings = new SettingsPage(vitrine.page);
  await settings.sealTokens(passphrase);
  const { team, md5, lookup, comments } = await talkAbout(vitrine);
  await comments.write('First seen in a mail of 17 November.');
  await expect(comments.comment('First seen in a mail')).toContainText('You');
  await comments.replyTo('First seen in a mail');
  await comments.write('The same builder as in October: https://evil.example/a?b=1');
  // An address can be read, and not followed.
  await expect(comments.comment('The same builder')).toContainText('hxxps://evil[.]example/a?b=1');
  await comments.replyTo('The same builder');
  await comments.field.pressSequentially('Its key is the same, ');
  await expect(vitrine.page.getByText('Draft saved', { exact: true })).toBeVisible();
  await expect.poll(() => savedCommentDraft(vitrine)).toBe('Its key is the same, ');
  await vitrine.program?.stop('SIGKILL');

  const again = startProgram(
    'electron/web.ts',
    ['--port', '0', '--data', vitrine.dataDirectory, '--exports', vitrine.exportFolder, '--no-open'],
    { TMPDIR: join(vitrine.folder, 'temp') },
  );
  const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await vitrine.page.goto(link);
  await settings.unlockTokens(passphrase);
  await lookup.open();
  await lookup.ask(md5);
  await expect(comments.field).toHaveValue('Its key is the same, ');
  await comments.field.press('End');
  await comments.field.pressSequentially('too. <b>Not bold</b>');
  await comments.field.press('Control+Enter');
  await expect(comments.comment('too. <b>Not bold</b>')).toBeVisible();

  // It is shown before the repository has it.
  await expect.poll(async () => (await recordOf(team, md5))?.comments.length).toBe(3);
  const [root, reply, leaf] = (await recordOf(team, md5))?.comments ?? [];
  expect([root?.content, reply?.content, leaf?.content]).toEqual([
    'First seen in a mail of 17 November.',
    'The same builder as in October: https://evil.example/a?b=1',
    'Its key is the same, too. <b>Not bold</b>',
  ]);
  expect([root?.parent, reply?.parent, leaf?.parent]).toEqual([null, root?.id, reply?.id]);
  for (const text of ['First seen in a mail', 'The same builder', 'Its key is the same']) {
    await expect(
      vitrine.page
        .getByRole('region', { name: /^Comments/ })
        .last()
        .getByText(text),
    ).toHaveCount(1);
  }
  await comments.openView();
  await expect(comments.list.getByRole('row').first()).toContainText('Its key is the same, too.');
  await vitrine.page.getByRole('textbox', { name: 'Find in text and authors' }).fill('october');
  await expect(comments.list.getByRole('row')).toHaveCount(1);
  await again.stop();
  await team.stop();
});

test(
  'a service that only reads bracket fields is detected once, and the result is remembered',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { team, comments } = await talkAbout(vitrine, { dialect: { comments: 'list' } });
    await comments.write('One');
    await expect(comments.comment('One')).not.toContainText('Sending');
    await comments.write('Two');
    await expect(comments.comment('Two')).not.toContainText('Sending');
    const forms = team.uploads.requestsOf('addcomment').map(({ form }) => Object.keys(form?.fields ?? {}).toSorted());
    expect(forms).toEqual([
      ['comment', 'hash'],
      ['comment[content]', 'comment[parent]', 'hash'],
      ['comment[content]', 'comment[parent]', 'hash'],
    ]);
    expect((await recordOf(team, team.samples[0] ?? ''))?.comments.map(({ content }) => content)).toEqual([
      'One',
      'Two',
    ]);
    await team.stop();
  },
);

test(
  'a comment whose reply was lost is found in the record instead of being sent again',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { team, md5, comments } = await talkAbout(vitrine);
    team.uploads.failComments({ kind: 'swallowed-reply' });
    await comments.write('Did this arrive?');
    await expect(comments.comment('Did this arrive?')).not.toContainText('Sending');
    await expect(comments.comment('Did this arrive?')).not.toContainText('may have arrived');
    expect(team.uploads.counted('addcomment').requests).toBe(1);
    expect((await recordOf(team, md5))?.comments).toHaveLength(1);

    await test.step('a release without addcomment is reported, and the text is kept to be sent later', async () => {
      team.uploads.failComments({ kind: 'unknown-action' });
      await comments.write('Kept for later');
      await expect(comments.comment('Kept for later')).toContainText(
        'This repository has no comment threads. Your text is kept.',
      );
      await comments.comment('Kept for later').getByRole('button', { name: 'Send again' }).click();
      await expect(comments.comment('Kept for later').getByRole('button', { name: 'Send again' })).toBeHidden();
      await expect
        .poll(async () => (await recordOf(team, md5))?.comments.map(({ content }) => content))
        .toEqual(['Did this arrive?', 'Kept for later']);
    });
    await team.stop();
  },
);

test(
  'the check of a lost comment is inconclusive when the service lists no comments',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { team, comments } = await talkAbout(vitrine, { dialect: true });
    await comments.write('Settles the form');
    await expect(comments.comment('Settles the form')).not.toContainText('Sending');
    team.uploads.failComments({ kind: 'swallowed-reply' });
    await comments.write('Did this arrive?');
    await expect(comments.comment('Did this arrive?').getByRole('button', { name: 'Check again' })).toBeVisible();
    await comments.comment('Did this arrive?').getByRole('button', { name: 'Check again' }).click();
    await expect(comments.comment('Did this arrive?')).toContainText('The check was inconclusive');
    expect(
      team.uploads
        .requestsOf('addcomment')
        .filter(({ form }) => form?.fields['comment[content]']?.[0] === 'Did this arrive?'),
    ).toHaveLength(1);
    await team.stop();
  },
);

test('every comment of a very long thread is reachable by keys, by search and from the user’s comment', async ({
  vitrine,
  lookup,
}) => {
  const [discussed, comments] = [await startDiscussedSample(3_000), new CommentsPage(vitrine.page)];
  await workIn(vitrine, { name: 'Team', repository: discussed.baseUrl, token: 'any' });
  await lookup.ask(discussed.md5);
  const numbered = (number: number) => lookup.thread.locator(`li[aria-posinset="${number}"]`);
  await expect(vitrine.page.getByRole('region', { name: 'Comments 3,000', exact: true })).toBeVisible();
  await expect(numbered(1)).toContainText('remark 0:');
  expect(await lookup.thread.getByRole('listitem').count()).toBeLessThan(60);
  // What was not drawn yet may be higher than it was taken to be.
  await expect(async () => {
    await lookup.thread.press('End');
    await expect(numbered(3_000)).toBeInViewport({ timeout: 200 });
  }).toPass();
  await comments.write('It is another one.');
  await expect(numbered(3_001)).toContainText('It is another one.');
  await expect(lookup.thread.getByText('It is another one.')).toBeInViewport();
  await comments.openView();
  await vitrine.page.getByRole('textbox', { name: 'Find in text and authors' }).fill('1500:');
  await expect(lookup.thread.locator('[data-marked]').getByText('remark 1500:')).toBeInViewport();
  await expect(lookup.thread.locator('[data-marked]').getByRole('button', { name: /^Reply/ })).toBeInViewport({
    ratio: 1,
  });
  discussed.close();
});

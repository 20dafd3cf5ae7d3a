import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from '../faults/loopback-server.ts';
import { type Answer, type ScriptedRuleEditor, startRuleEditor } from '../faults/rule-editor.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { activePackage } from '../package-pointers.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { packed, ruleText } from '../rule-package.ts';
import { installNewest } from '../stocked-host.ts';
import { workIn } from '../workspace.ts';

const token = 'a-token-of-this-team';

interface Installed {
  editor: ScriptedRuleEditor;
  publications: PublicationsPage;
  /** SHA-256 of the package in use. */
  active: string;
}

/** A program with the rules `one` and `two` of version 2.0 in use. */
async function installed(vitrine: Vitrine): Promise<Installed> {
  const editor = await startRuleEditor();
  editor.publish('2.0', await packed({ 'a.yar': ruleText('one') + ruleText('two') }, { version: '2.0' }));
  const id = await workIn(vitrine, { name: 'Team', repository: editor.baseUrl, ruleEditor: editor.baseUrl, token });
  await installNewest(vitrine.call, id);
  const publications = new PublicationsPage(vitrine.page);
  await publications.open();
  await publications.activeVersion('2.0');
  return { editor, publications, active: activePackage(vitrine) };
}

const text =
  (status: number, words: string): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8' }).end(words);
const redirect =
  (target: string): Answer =>
  (response) =>
    response.writeHead(302, { Location: target }).end();

/** What comes in the place of a package, and the words a person reads. */
const insteadOfPackage: [string, Answer, RegExp][] = [
  [
    'a text under status 200',
    text(200, 'No password is configured for this group'),
    /refused the request \(200\).*Reason: No password is configured for this group/,
  ],
  ['a web page', text(200, '<!doctype html><title>Log in</title>'), /sent a web page/],
  ['nothing', text(200, ''), /Empty response/],
  [
    'a redirect to a file of this computer',
    redirect('file:///etc/passwd'),
    /redirect not followed.*Only http and https are allowed/,
  ],
  ['a circle of redirects', redirect('/round'), /redirect not followed.*More than five redirects/],
  ['a server that fails', text(500, 'Uncaught Error'), /failed \(500\)/],
];

test(
  'each invalid reply in place of a package shows a message, and the active package stays',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { editor, publications, active } = await installed(vitrine);
    editor.publish('2.1', await packed({ 'a.yar': ruleText('one') }, { version: '2.1' }));
    editor.place('/round', redirect('/round'));
    for (const [name, answer, words] of insteadOfPackage) {
      editor.answer('downloadpublication', answer);
      await publications.askAgain();
      await expect(publications.alert, name).toContainText(words);
      expect(activePackage(vitrine), name).toBe(active);
    }
    await expect(vitrine.page.getByText(token)).toHaveCount(0);
    await expect(publications.packages.getByRole('row')).toHaveCount(1);

    editor.answer('checkpackageversion', text(200, JSON.stringify({ status: 'ok' })));
    await publications.askAgain();
    await expect(publications.alert).toContainText('Unexpected response from the rule editor');
    await expect(publications.alert).toContainText(
      'Fields not found: update available, newest version, publication ID. Nothing was fetched.',
    );

    // Whether it is outdated is a text; then it is not said, and the version is another one.
    for (const [version, reply] of [
      ['2.2', { outdated: '1' }],
      ['2.3', {}],
    ] as const) {
      editor.publish(version, await packed({ 'a.yar': ruleText('one') + ruleText('two', version) }, { version }));
      editor.answer('checkpackageversion', text(200, JSON.stringify({ ...reply, last_version: version, id: 7 })));
      await publications.askAgain();
      await expect(publications.step(`Update to ${version} (+0 −0 ~1)`)).toBeEnabled();
    }
    expect(activePackage(vitrine)).toBe(active);
    await editor.close();
  },
);

test(
  'a package whose id is a path, or from another server, is fetched as it is, and that server gets no token',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { editor, publications } = await installed(vitrine);
    const seen: string[] = [];
    const bytes = await packed({ 'a.yar': ruleText('one') }, { version: '2.1' });
    const other = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
      response.end(bytes);
    });
    const otherUrl = await listenOnLoopback(other);
    editor.publish('2.1', bytes, '../../etc/passwd');
    editor.answer('downloadpublication', redirect(`${otherUrl}/files/2.1?signature=abc`));
    await publications.askAgain();
    await publications.step('Update to 2.1 (+0 −1 ~0)').click();
    await publications.confirmRemoval();
    await publications.activeVersion('2.1');
    expect(editor.asked.at(-1)).toContain('id=..%2F..%2Fetc%2Fpasswd');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain('/files/2.1?signature=abc');
    expect(seen[0]).not.toMatch(new RegExp(`${token}|referer|cookie|authorization`, 'i'));
    const closed = once(other, 'close');
    other.close();
    other.closeAllConnections();
    await closed;
    await editor.close();
  },
);

test(
  'unreadable packages are kept with a reason, escaping paths are named, and downgrades are reported',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { editor, publications, active } = await installed(vitrine);
    const { compare } = publications;
    editor.publish('2.1', (await packed({ 'a.yar': ruleText('one') }, { version: '2.1' })).subarray(0, -40));
    await publications.askAgain();
    await expect(publications.package('2.1')).toContainText('Cannot be opened');
    await expect(publications.alert).toContainText('It is stored as received');

    editor.publish('2.2', await packed({ 'a.yar': ruleText('locked') }, { version: '2.2', password: 'only we know' }));
    await publications.set(async (dialog) => {
      await dialog.getByText('Fetch encrypted packages').click();
      await dialog.getByLabel('Package password').fill('not this one');
    });
    await publications.askAgain();
    await expect(publications.alert).toContainText('No known password opens');
    expect(editor.asked.at(-2)).toContain('encrypted=true');
    await publications.set(async (dialog) => {
      await dialog.getByRole('button', { name: 'Replace' }).click();
      await dialog.getByLabel('Package password').fill('only we know');
    });
    await publications.askAgain();
    await expect(publications.step('Update to 2.2 (+1 −2 ~0)')).toBeEnabled();

    const outside = `include "/etc/passwd"\ninclude "../x.yar"\n${ruleText('one')}`;
    editor.publish(
      '2.3',
      await packed({ '../evil.yar': ruleText('evil'), 'a.yar': outside }, { version: '2.3', isBare: true }),
    );
    await publications.askAgain();
    await expect(publications.step('Update to 2.3 (+0 −1 ~0)')).toBeEnabled();
    await expect(compare).toContainText('../evil.yar: ');
    await expect(compare).toContainText(/a\.yar, line 1: .*\/etc\/passwd/);
    await expect(compare).toContainText(/a\.yar, line 2: .*\.\.\/x\.yar/);

    editor.publish('1.9', await packed({ 'a.yar': ruleText('one') }, { version: '1.9' }));
    await publications.askAgain();
    await expect(compare).toContainText('1.9 is older than the active 2.0');
    editor.publish('2.0', await packed({ 'a.yar': ruleText('one', 'other bytes') }, { version: '2.0' }), 'another-id');
    await publications.askAgain();
    await expect(compare).toContainText('2.0 is already active, with different content');
    expect(activePackage(vitrine)).toBe(active);
    await editor.close();
  },
);

/** Packages that lie in the vault of rules. */
const onDisk = async ({ dataDirectory }: Vitrine): Promise<number> =>
  (await readdir(join(dataDirectory, 'packages'), { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name))
    .length;

test(
  'a policy holds back or installs a package, a pin blocks every other one, and surplus packages are removed',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { editor, publications, active } = await installed(vitrine);
    editor.publish(
      '2.1',
      await packed({ 'a.yar': `${ruleText('one')}rule broken { condition: $missing }\n` }, { version: '2.1' }),
    );
    await publications.set((dialog) => dialog.getByText('Install with one click, unless a rule is broken').click());
    await publications.askAgain();
    await expect(publications.compare).toContainText('does not install broken rules, and this package has 1');
    await expect(publications.step(/^Update to 2\.1/)).toBeDisabled();

    await publications.menu('2.0', 'Pin this version');
    editor.publish('2.2', await packed({ 'a.yar': ruleText('one') }, { version: '2.2' }));
    await publications.askAgain();
    await expect(publications.compare).toContainText('2.0 is pinned');
    await expect(publications.step('Update to 2.2 (+0 −1 ~0)')).toBeDisabled();
    await publications.compare.getByRole('button', { name: 'Unpin' }).click();
    await expect(publications.step('Update to 2.2 (+0 −1 ~0)')).toBeEnabled();
    expect(activePackage(vitrine)).toBe(active);

    await publications.set(async (dialog) => {
      await dialog.getByText('Install automatically').click();
      await dialog.getByLabel('Packages to keep').fill('1');
    });
    let rules = ruleText('one') + ruleText('two');
    for (const version of ['2.3', '2.4']) {
      // None goes: what removes more than a fifth of the rules does not install itself.
      rules += ruleText(`of_${version.replace('.', '_')}`);
      editor.publish(version, await packed({ 'a.yar': rules }, { version }));
      await publications.askAgain();
      await publications.activeVersion(version);
      await expect(vitrine.page.getByText(new RegExp(`${version} installed automatically`)).first()).toBeVisible();
    }
    // The one in use, and of those that were in use before the last one.
    await expect(publications.packages.getByRole('row')).toHaveCount(2);
    await expect(publications.packages).toContainText('2.3');
    await expect.poll(() => onDisk(vitrine)).toBe(2);
    await editor.close();
  },
);

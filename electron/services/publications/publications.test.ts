import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MuteDraft } from '../../../shared/domain/mute.ts';
import type { Failure } from '../../../shared/failure.ts';
import {
  createTestPublications,
  listing,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

const wide = { offset: 0, limit: 100 };
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes);

const older = { 'a/one.yar': rule('one') + rule('two'), 'b/three.yar': rule('three') };
/** Two more, one fewer, one with another condition, one with another string. */
const newer = {
  'a/one.yar': rule('one', 'any of them') + rule('four'),
  'b/three.yar': rule('three', '$a', 'other') + rule('five'),
};

let editor: RuleEditor;
let setup: TestPublications;
beforeAll(async () => {
  editor = await startRuleEditor();
  setup = await createTestPublications(editor);
});
beforeEach(() => setup.startOver());
afterAll(async () => {
  await setup.remove();
  editor.end();
});

test('a check repairs the package in use when its bytes are gone from the disk, or differ', async () => {
  editor.publish('1.3', await zipOf(older, '1.3'));
  const { candidate } = await setup.check();
  await setup.publications.activate(setup.team, candidate ?? '');
  const path = join(setup.folder, 'data', 'packages', setup.team, candidate ?? '');
  await rm(path);
  expect(await setup.check()).toMatchObject({ active: candidate, lastCheck: { outcome: 'up-to-date' } });
  await setup.packages.check(setup.team, candidate ?? '');
  await writeFile(path, 'something else');
  await setup.check();
  await setup.packages.check(setup.team, candidate ?? '');
});

test('Publications keeps the result of a scheduled check when the package cannot be compared', async () => {
  let ring: () => void = () => expect.fail('no check is scheduled');
  const clock = {
    now: () => Date.now(),
    after: (_: number, act: () => void) => {
      ring = act;
      return () => {};
    },
  };
  const scheduled = await createTestPublications(editor, { clock });
  onTestFinished(() => scheduled.remove());
  const broken = new Error('the packages cannot be compared');
  vi.spyOn(scheduled.reading, 'difference').mockRejectedValueOnce(broken);
  editor.publish('1.3', await zipOf(older, '1.3'));
  await scheduled.set({ checkHours: 24 });
  ring();
  expect(await scheduled.rested()).toMatchObject({ lastCheck: { outcome: 'found', version: '1.3', failure: null } });
  expect(scheduled.state().candidate).not.toBeNull();
  expect(scheduled.defects).toEqual([broken]);
  expect(scheduled.events).toContainEqual({
    name: 'publications.news',
    payload: { workspaceId: scheduled.team, kind: 'found', version: '1.3', counts: null },
  });
});

describe('a reply without a valid package', () => {
  test.each([
    ['a text under status 200', 'Publication is locked by another user', 'request-refused'],
    ['a web page', '<!doctype html><title>Log in</title>', 'html-reply'],
    ['nothing', '', 'empty-reply'],
  ])('with %s is reported by its kind, and nothing is kept', async (_, body, kind) => {
    editor.publish('1.4', await zipOf(older));
    editor.onDownload = (response) => response.end(body);
    expect(await setup.check()).toMatchObject({
      packages: [],
      candidate: null,
      lastCheck: { outcome: 'failed', failure: { kind } },
    });
  });

  test('with bytes that are no package is kept as received, and reported as unreadable', async () => {
    const bytes = Buffer.alloc(100_000, 0xe7);
    editor.publish('1.4', bytes);
    const state = await setup.check();
    expect(state.packages).toMatchObject([
      {
        version: '1.4',
        sha256: sha256(bytes),
        sizeBytes: 100_000,
        contents: null,
        failure: { kind: 'package-unreadable' },
      },
    ]);
    await expect(setup.publications.activate(setup.team, sha256(bytes))).rejects.toMatchObject({
      failure: { kind: 'package-unreadable' },
    });
  });

  test('with a truncated package is kept and not opened', async () => {
    editor.publish('1.4', (await zipOf({ 'a.yar': rule('a') + '// '.repeat(5000) })).subarray(0, -40));
    const { packages } = await setup.check();
    expect(packages[0]).toMatchObject({ contents: null });
    expect(packages[0]?.failure?.kind).toMatch(/^archive-/);
  });

  test('with a single rule file is a package, with or without stray bytes after it', async () => {
    editor.publish('1.4', Buffer.from(`${rule('alone')}{}`));
    const state = await setup.check();
    expect(state.packages[0]).toMatchObject({ version: '1.4', contents: { files: 1, rules: 1, broken: 0 } });
  });
});

test('a member whose path escapes is skipped and named, as is a file that includes an outside one', async () => {
  editor.publish(
    '1.4',
    await zipOf(
      { '../evil.yar': rule('evil'), 'good.yar': `include "/etc/passwd"\ninclude "../x.yar"\n${rule('good')}` },
      '1.4',
    ),
  );
  const { candidate, packages } = await setup.check();
  expect(packages[0]?.contents).toEqual({ files: 1, rules: 1, broken: 3, namespaces: 1, engineWarnings: [] });
  expect(
    setup.stores.packages.broken(setup.team, candidate ?? '').map(({ file, line, kind }) => [file, line, kind]),
  ).toEqual([
    ['../evil.yar', 0, 'file'],
    ['good.yar', 1, 'include'],
    ['good.yar', 2, 'include'],
  ]);
  expect((await setup.reading.difference(setup.team, null, candidate ?? '', wide)).counts).toMatchObject({
    added: 1,
    broken: 3,
  });
});

describe('the reply to a check', () => {
  test('is read with outdated as "1"', async () => {
    editor.publish('1.4', await zipOf(older, '1.4'));
    editor.onCheck = (response) =>
      response.end('{"Is-Outdated":"1","package":{"latestVersion":1.4,"publication_id":7}}');
    expect(await setup.check()).toMatchObject({ lastCheck: { outcome: 'found', version: '1.4' } });
  });

  test('is shown when it is unclear, and read by the fields the person names', async () => {
    editor.publish('1.4', await zipOf(older, '1.4'));
    editor.onCheck = (response) => response.end('{"pkg":{"rev":"1.4","ref":9,"stale":1}}');
    const unsure = await setup.check();
    expect(unsure).toMatchObject({
      packages: [],
      lastCheck: { outcome: 'unsure', missing: ['outdated', 'version', 'id'] },
    });
    expect(JSON.parse(unsure.lastCheck?.reply ?? '')).toEqual({ pkg: { rev: '1.4', ref: 9, stale: 1 } });
    await setup.set({ mapping: { outdated: '/pkg/stale', version: '/pkg/rev', id: '/pkg/ref' } });
    expect(await setup.check()).toMatchObject({ lastCheck: { outcome: 'found', version: '1.4' } });
    expect(editor.asked.at(-2)).toContain('id=9');
  });

  test('has an id that is never used as a path, even when it is one', async () => {
    editor.publish('1.4', await zipOf(older, '1.4'), '../../etc/passwd');
    const { candidate } = await setup.check();
    expect(editor.asked.some((url) => url.includes('id=..%2F..%2Fetc%2Fpasswd'))).toBe(true);
    expect(candidate).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the policy', () => {
  const broken = { 'a.yar': `${rule('good')}rule bad { condition: $x }` };

  test('keeps a package with broken rules as a candidate, not installed, when it refuses them', async () => {
    await setup.set({ policy: 'refuse-broken' });
    editor.publish('1.4', await zipOf(broken, '1.4'));
    const { candidate } = await setup.check();
    await expect(setup.publications.activate(setup.team, candidate ?? '')).rejects.toMatchObject({
      failure: { kind: 'package-has-broken', version: '1.4', broken: 1 },
    });
    expect(setup.state().active).toBeNull();
  });

  test('installs a whole package automatically, and not a broken one, when it is set to', async () => {
    await setup.set({ policy: 'install-whole' });
    editor.publish('1.3', await zipOf(older, '1.3'));
    const installed = await setup.check();
    expect(installed).toMatchObject({ candidate: null, lastCheck: { outcome: 'installed' } });
    expect(setup.events).toContainEqual({
      name: 'publications.news',
      payload: { workspaceId: setup.team, kind: 'installed', version: '1.3', counts: null },
    });
    editor.publish('1.4', await zipOf(broken, '1.4'));
    expect(await setup.check()).toMatchObject({ active: installed.active, lastCheck: { outcome: 'found' } });
  });

  test('keeps a pinned package, whatever arrives', async () => {
    await setup.set({ policy: 'install-whole' });
    editor.publish('1.3', await zipOf(older, '1.3'));
    const { active } = await setup.check();
    await setup.publications.pin(setup.team, active);
    editor.publish('1.4', await zipOf(newer, '1.4'));
    const { candidate, active: still } = await setup.check();
    expect(still).toBe(active);
    await expect(setup.publications.activate(setup.team, candidate ?? '')).rejects.toMatchObject({
      failure: { kind: 'package-pinned', version: '1.3' },
    });
    await setup.publications.pin(setup.team, null);
    expect(await setup.publications.activate(setup.team, candidate ?? '', true)).toMatchObject({ active: candidate });
  });
});

describe('kept packages', () => {
  test('are as many as the workspace sets; others are nowhere on the disk', async () => {
    await setup.set({ keep: 2 });
    for (const version of ['1.1', '1.2', '1.3', '1.4', '1.5']) {
      editor.publish(version, await zipOf({ 'a.yar': rule(`in_${version.replace('.', '_')}`) }, version));
      await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '', true);
    }
    expect(setup.state().packages.map(({ version }) => version)).toEqual(['1.5', '1.4', '1.3']);
    const gone = sha256(await zipOf({ 'a.yar': rule('in_1_1') }, '1.1'));
    await expect(setup.packages.check(setup.team, gone)).rejects.toMatchObject({
      failure: { kind: 'package-missing' },
    });
  });

  test('are exported as a password ZIP and imported elsewhere with the same bytes, version and group', async () => {
    const bytes = await zipOf(older);
    editor.publish('1.3', bytes);
    const { candidate } = await setup.check();
    const file = await setup.taken(
      await setup.publications.export(
        {
          workspaceId: setup.team,
          sha256: candidate ?? '',
          to: 'browser',
          encryption: 'aes-256',
          password: 'infected',
        },
        null,
      ),
    );
    expect(file.includes('rule one')).toBe(false);
    const journalled = await setup.stores.journalReader.list({
      filter: { operations: ['export'], workspaceId: setup.team, find: '', from: null, before: null },
      offset: 0,
      limit: 9,
    });
    expect(journalled.lines.map(({ row }) => row)).toMatchObject([
      {
        outcome: 'done',
        detail: { of: 'rules', version: '1.3', package: candidate, to: 'browser', encryption: 'aes-256' },
      },
    ]);
    const other = await createTestPublications(editor);
    onTestFinished(() => other.remove());
    const state = await other.bring('rules.zip', file);
    expect(state).toMatchObject({
      candidate: sha256(bytes),
      packages: [{ version: '1.3', source: 'file', contents: { rules: 3 } }],
    });
  });

  test('survive the program: the active one stays active, and its rules work without the service', async () => {
    const before = await createTestPublications(editor);
    editor.publish('1.3', await zipOf(older, '1.3'));
    const { candidate } = await before.check();
    await before.publications.activate(before.team, candidate ?? '');
    await before.close();
    editor.asked.length = 0;
    const again = await createTestPublications(editor, { folder: before.folder });
    onTestFinished(() => again.remove());
    expect(again.state().active).toBe(candidate);
    expect(await again.reading.list(listing(again.team, 'three'))).toMatchObject({ total: 1 });
    expect(editor.asked).toEqual([]);
  });
});

test('a picked file is a candidate under its own version, its name or the version the person enters', async () => {
  expect(await setup.bring('team-rules-2.yar', Buffer.from(rule('mine')))).toMatchObject({
    packages: [{ version: 'team-rules-2', source: 'file' }],
  });
  expect(await setup.bring('named.yar', Buffer.from(rule('other')), '7.1')).toMatchObject({
    packages: [{ version: '7.1' }, { version: 'team-rules-2' }],
  });
  expect(await setup.bring('a.zip', await zipOf(older, '1.3'))).toMatchObject({
    packages: [{ version: '1.3', group: 'Release' }, {}, {}],
  });
});

test('an added file waits until no check is under way, and is then the candidate', async () => {
  const answered = Promise.withResolvers<void>();
  editor.onCheck = (response) =>
    void answered.promise.then(() => response.end('{"outdated":false,"last_version":null,"id":null}'));
  setup.publications.check(setup.team);
  const { id } = await setup.staging.stageStream(
    'rules.zip',
    (async function* () {
      yield Buffer.from(rule('brought'));
    })(),
  );
  const brought = setup.publications.bringFile(setup.team, id, '9.9');
  expect(setup.state()).toMatchObject({ check: { phase: 'asking' }, packages: [] });
  answered.resolve();
  await brought;
  expect(setup.state()).toMatchObject({
    check: null,
    packages: [{ version: '9.9', source: 'file' }],
    candidate: expect.any(String),
  });
});

test('a check can be stopped, and reports that', async () => {
  editor.onCheck = () => {};
  setup.publications.check(setup.team);
  expect(() => setup.publications.check(setup.team)).toThrow(
    expect.objectContaining({ failure: { kind: 'check-busy' } }),
  );
  setup.publications.cancelCheck(setup.team);
  expect(await setup.rested()).toMatchObject({ lastCheck: { outcome: 'cancelled', failure: null } });
});

describe('a mute', () => {
  test('continues through an update, and is flagged when its rule has changed by then', async () => {
    editor.publish('1.3', await zipOf(older, '1.3'));
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '');
    for (const name of ['one', 'two', 'three'])
      await setup.mutes.add({ workspaceId: setup.team, rule: name, sample: null, reason: 'noisy', expires: null });
    expect((await setup.reading.list(listing(setup.team, ''))).rows.every(({ isMuted }) => isMuted)).toBe(true);
    expect((await setup.reading.named(setup.team, 'thr', 8)).rows).toMatchObject([{ name: 'three', isMuted: true }]);
    editor.publish('1.4', await zipOf({ ...newer, 'b/three.yar': older['b/three.yar'] }, '1.4'));
    const { active, candidate } = await setup.check();
    expect((await setup.reading.difference(setup.team, active, candidate ?? '', wide)).muted.toSorted()).toEqual([
      'one',
      'two',
    ]);
    await setup.publications.activate(setup.team, candidate ?? '', true);
    const mutes = await setup.mutes.list(setup.team);
    expect(Object.fromEntries(mutes.map(({ rule: name, ruleNow }) => [name, ruleNow]))).toEqual({
      one: 'changed',
      two: 'gone',
      three: 'same',
    });
    const one = mutes.find(({ rule: name }) => name === 'one') ?? expect.fail('no mute');
    expect(await setup.mutes.confirm(one.id)).toMatchObject({ ruleNow: 'same' });
  });

  const muted = (facts: Partial<MuteDraft> = {}) =>
    setup.mutes.add({ workspaceId: setup.team, rule: 'one', sample: null, reason: 'noisy', expires: null, ...facts });
  const failing = (failure: Failure): unknown => expect.objectContaining({ failure });

  test('is restored by Undo after it was removed, and still flagged', async () => {
    editor.publish('1.3', await zipOf(older, '1.3'));
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '');
    const { id } = await muted({ expires: '2131-01-01T00:00:00.000Z' });
    editor.publish('1.4', await zipOf(newer, '1.4'));
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '', true);
    const before = await setup.mutes.list(setup.team);
    expect(before).toMatchObject([{ id, ruleNow: 'changed', expires: '2131-01-01T00:00:00.000Z' }]);
    setup.mutes.remove(id);
    expect(await setup.mutes.list(setup.team)).toEqual([]);
    setup.mutes.undo({ removed: id });
    expect(await setup.mutes.list(setup.team)).toEqual(before);
    expect(() => setup.mutes.undo({ removed: id })).toThrow(failing({ kind: 'nothing-to-undo' }));
  });

  test('that replaces another reports it, and Undo restores the other one', async () => {
    const {
      undo: added,
      replaces,
      ...first
    } = await muted({ reason: 'ours until then', expires: '2131-01-01T00:00:00.000Z' });
    const second = await muted();
    expect([replaces, second.replaces]).toEqual([false, true]);
    expect(() => setup.mutes.undo({ added })).toThrow(failing({ kind: 'mute-changed' }));
    expect(await setup.mutes.list(setup.team)).toMatchObject([{ reason: 'noisy', expires: null }]);
    setup.mutes.undo({ added: second.undo });
    expect(await setup.mutes.list(setup.team)).toEqual([first]);
    setup.mutes.undo({ added });
    expect(await setup.mutes.list(setup.team)).toEqual([]);
  });

  test('stays as changed since: Undo reports that', async () => {
    const { id, undo: added } = await muted();
    await setup.mutes.change(id, { reason: 'known' });
    expect(() => setup.mutes.undo({ added })).toThrow(failing({ kind: 'mute-changed' }));
    setup.mutes.remove(id);
    await muted({ reason: 'muted anew' });
    expect(() => setup.mutes.undo({ removed: id })).toThrow(failing({ kind: 'mute-changed' }));
    expect(await setup.mutes.list(setup.team)).toMatchObject([{ reason: 'muted anew' }]);
  });

  test('is listed when it has expired, and mutes nothing', async () => {
    editor.publish('1.3', await zipOf(older, '1.3'));
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '');
    await setup.mutes.add({
      workspaceId: setup.team,
      rule: 'one',
      sample: null,
      reason: 'noisy',
      expires: '2026-01-01T00:00:00.000Z',
    });
    expect(await setup.mutes.list(setup.team)).toMatchObject([{ rule: 'one', hasExpired: true }]);
    expect((await setup.reading.list(listing(setup.team, 'one'))).rows[0]).toMatchObject({ isMuted: false });
  });
});

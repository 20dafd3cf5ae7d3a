import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
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
const chosen = (state: PublicationsState, version: string): PackageView =>
  state.packages.find((one) => one.version === version) ?? expect.fail(`no ${version}`);

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

describe('an update', () => {
  test('is found by each of many workspaces that check at the same time, with its changes', async () => {
    editor.publish('1.3', await zipOf(older, '1.3'));
    const teams = Array.from({ length: 6 }, () => {
      setup.startOver();
      return setup.team;
    });
    for (const team of teams) setup.publications.check(team);
    await expect
      .poll(() => teams.map((team) => setup.publications.state(team).lastCheck?.outcome), { timeout: 20_000 })
      .toEqual(teams.map(() => 'found'));
    expect(setup.defects).toEqual([]);
    // Each pushes others out of memory, more than once.
    const asked = teams.map((team) =>
      setup.reading.difference(team, null, setup.publications.state(team).candidate ?? '', wide),
    );
    expect((await Promise.all(asked)).map(({ total }) => total)).toEqual(teams.map(() => 3));
  });

  test('records “none” for one workspace per turn of the event loop, however many replies arrive at once', async () => {
    const teams = Array.from({ length: 12 }, () => {
      setup.startOver();
      return setup.team;
    });
    let written = 0;
    const most: number[] = [];
    const record = setup.stores.packages.recordCheck.bind(setup.stores.packages);
    const spy = vi.spyOn(setup.stores.packages, 'recordCheck').mockImplementation((...given) => {
      if (written === 0) setImmediate(() => (written = 0));
      most.push((written += 1));
      return record(...given);
    });
    onTestFinished(() => spy.mockRestore());
    const waiting: ServerResponse[] = [];
    editor.onCheck = (response) => {
      if (waiting.push(response) < teams.length) return;
      for (const each of waiting) each.end('{"outdated":false,"last_version":null,"id":null}');
    };
    for (const team of teams) setup.publications.check(team);
    await expect
      .poll(() => teams.map((team) => setup.publications.state(team).lastCheck?.outcome), { timeout: 20_000 })
      .toEqual(teams.map(() => 'up-to-date'));
    expect(most).toEqual(teams.map(() => 1));
  });

  test('is a candidate with its difference, then one click installs it, and one restores it offline', async () => {
    const [first, second] = [await zipOf(older, '1.3'), await zipOf(newer, '1.4')];
    editor.publish('1.3', first);
    expect(await setup.check()).toMatchObject({
      active: null,
      candidate: sha256(first),
      lastCheck: { outcome: 'found', version: '1.3' },
    });
    expect(editor.asked[0]).toContain('version=0');
    await setup.publications.activate(setup.team, sha256(first));

    editor.publish('1.4', second);
    const found = await setup.check();
    expect(found).toMatchObject({ active: sha256(first), candidate: sha256(second) });
    const { counts, rows } = await setup.reading.difference(setup.team, sha256(first), sha256(second), wide);
    expect(counts).toEqual({ added: 2, removed: 1, changed: 2, moved: 0, broken: 0, same: 0 });
    expect(rows.map(({ kind, name, parts }) => [kind, name, ...parts])).toEqual([
      ['changed', 'one', 'condition'],
      ['changed', 'three', 'strings'],
      ['added', 'four'],
      ['added', 'five'],
      ['removed', 'two'],
    ]);
    expect(await setup.publications.activate(setup.team, sha256(second), true)).toMatchObject({
      active: sha256(second),
      candidate: null,
    });

    editor.asked.length = 0;
    expect(await setup.publications.activate(setup.team, sha256(first))).toMatchObject({ active: sha256(first) });
    expect((await setup.reading.list(listing(setup.team, ''))).rows.map(({ name }) => name)).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(editor.asked).toEqual([]);
  });

  test('names the one broken rule of a hundred by file, line and engine message, and installs the others', async () => {
    const rules = Array.from({ length: 99 }, (_, index) => rule(`rule_${index}`));
    rules.splice(50, 0, 'rule broken {\n  condition:\n    $missing\n}\n');
    editor.publish('1.4', await zipOf({ 'all.yar': rules.join('') }, '1.4'));
    const { candidate, packages } = await setup.check();
    expect(packages[0]?.contents).toEqual({ files: 1, rules: 99, broken: 1, namespaces: 1, engineWarnings: [] });
    const { rows } = await setup.reading.difference(setup.team, null, candidate ?? '', { offset: 0, limit: 1 });
    expect(rows[0]).toMatchObject({
      kind: 'broken',
      broken: { rule: 'broken', file: 'all.yar', line: 53, kind: 'engine', text: expect.stringContaining('$missing') },
    });
    await setup.publications.activate(setup.team, candidate ?? '');
    expect(await setup.reading.list(listing(setup.team, 'rule_'))).toMatchObject({ total: 99 });
    expect((await setup.reading.named(setup.team, 'rule 97', 8)).rows.map(({ name }) => name)).toEqual(['rule_97']);
  });

  test('has a warning when it goes backwards, or has other bytes under the same version', async () => {
    editor.publish('1.4', await zipOf(older, '1.4'));
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '');
    editor.publish('1.4', await zipOf(newer, '1.4'), 'another-id');
    const again = await setup.check();
    expect(again.packages.find((one) => one.sha256 === again.candidate)?.warnings).toEqual(['same-version']);
    editor.publish('1.3', await zipOf(newer, '1.3'));
    expect(chosen(await setup.check(), '1.3').warnings).toEqual(['backwards']);
  });

  test('has a warning when its manifest lists other files', async () => {
    editor.publish(
      '1.4',
      await zipOf({ 'a.yar': rule('a') }, '1.4', [{ path: 'a.yar', sha256: 'f'.repeat(64), sizeBytes: 3 }]),
    );
    expect(chosen(await setup.check(), '1.4').warnings).toEqual(['manifest-contradicts']);
  });

  test('is none when its bytes are those in use', async () => {
    const bytes = await zipOf(older, '1.3');
    editor.publish('1.3', bytes);
    await setup.publications.activate(setup.team, (await setup.check()).candidate ?? '');
    editor.publish('1.4', bytes);
    expect(await setup.check()).toMatchObject({ candidate: null, lastCheck: { outcome: 'up-to-date' } });
  });
});

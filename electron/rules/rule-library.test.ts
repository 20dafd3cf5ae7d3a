import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sortByPlace } from '../../shared/domain/publication.ts';
import { brokenAt, filesOf, ruleText, type Texts } from './library/package.fixture.ts';
import { NotLoadedError, openRuleLibrary, type RuleLibrary } from './rule-library.ts';

let library: RuleLibrary;
let next = 0;
// One thread for all tests: it takes longer to start than they do. Each has keys of its own.
beforeAll(() => {
  library = openRuleLibrary();
});
afterAll(() => library.close());

const all = { offset: 0, limit: 1000 };
const everything = { ...all, columns: [] };
const searchFor = (find: string): Parameters<RuleLibrary['rules']>[1] => ({
  find,
  sort: sortByPlace,
  known: { stamp: '', hits: [], muted: [], costs: [] },
});
const quiet = { signal: new AbortController().signal, onProgress: () => {} };

async function loaded(texts: Texts, broken: Parameters<RuleLibrary['load']>[2] = null): Promise<string> {
  const key = `package ${(next += 1)}`;
  await library.load(key, filesOf(texts), broken);
  return key;
}

/** The thread of a library that was asked already. */
async function threadOf(asked: RuleLibrary): Promise<Worker> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  await asked.rules('', searchFor(''), everything).catch(() => null);
  const [worker] = posted.mock.contexts;
  posted.mockRestore();
  if (!(worker instanceof Worker)) throw new TypeError('no thread was asked');
  return worker;
}

test('the rule library splits a package into files and rules, and does not count known broken ones', async () => {
  const files = filesOf({ 'a.yar': ruleText('a') + ruleText('b'), 'b.yar': ruleText('c') });
  expect(await library.load('contents', files, null)).toEqual({ files: 2, rules: 3 });
  expect(library.has('contents')).toBe(true);
  expect(await library.load('contents', [], [brokenAt('b', 'a.yar', 6)])).toEqual({ files: 2, rules: 2 });
  // What an engine said stays.
  expect(await library.load('contents', [], [])).toEqual({ files: 2, rules: 2 });
  expect(files.map(({ bytes }) => bytes.length)).toEqual([2, 1].map((rules) => rules * ruleText('a').length));
});

test('the rule library names the first of very many broken rules, and counts all', { tags: ['long'] }, async () => {
  const key = await loaded({ 'a.yar': ruleText('a').repeat(10_050) });
  const { rules, broken, brokenTotal } = await library.gate(key, quiet);
  expect({ rules, named: broken.length, brokenTotal }).toEqual({ rules: 1, named: 10_000, brokenTotal: 10_049 });
  expect((await library.difference(null, key, { offset: 0, limit: 1 })).counts).toMatchObject({
    added: 1,
    broken: 10_049,
  });
});

test('the rule library’s gate compiles, and stores broken rules with the package', async () => {
  const key = await loaded({ 'a.yar': `${ruleText('good')}rule bad {\n  condition:\n    $nothing\n}\n` });
  const progress: number[] = [];
  const { rules, broken } = await library.gate(key, {
    ...quiet,
    onProgress: (done, total) => progress.push(done, total),
  });
  expect({ rules, broken }).toMatchObject({ rules: 1, broken: [{ rule: 'bad', file: 'a.yar', kind: 'engine' }] });
  expect(progress.slice(-2)).toEqual([2, 2]);
  expect(
    (await library.rules(key, searchFor(''), everything)).rows.map(({ name, broken: why }) => [name, why?.kind]),
  ).toEqual([
    ['good', undefined],
    ['bad', 'engine'],
  ]);
  expect(await library.prints(key, ['bad', 'good', 'other'])).toEqual([
    null,
    expect.stringMatching(/^[0-9a-f]{64}$/),
    null,
  ]);
});

test('the rule library rejects a cancelled gate, and keeps the package as it was', async () => {
  const key = await loaded({ 'a.yar': Array.from({ length: 500 }, (_, index) => ruleText(`r${index}`)).join('') });
  const controller = new AbortController();
  const gated = library.gate(key, { signal: controller.signal, onProgress: () => {} });
  controller.abort();
  await expect(gated).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await expect(library.gate(key, { ...quiet, signal: controller.signal })).rejects.toMatchObject({
    failure: { kind: 'cancelled' },
  });
  expect((await library.rules(key, searchFor(''), { offset: 0, limit: 1, columns: [] })).total).toBe(500);
});

test('the rule library compares two packages, and later gate results change the difference', async () => {
  const from = await loaded({ 'a.yar': ruleText('a') + ruleText('b') });
  const to = await loaded({ 'a.yar': `${ruleText('a', { meta: '2' })}rule b { condition: $none }\n${ruleText('c')}` });
  expect((await library.difference(from, to, all)).counts).toEqual({
    added: 1,
    removed: 0,
    changed: 2,
    moved: 0,
    broken: 0,
    same: 0,
  });
  await library.gate(to, quiet);
  const { counts, rows, total } = await library.difference(from, to, { offset: 1, limit: 2 });
  expect({ counts, total }).toEqual({
    counts: { added: 1, removed: 1, changed: 1, moved: 0, broken: 1, same: 0 },
    total: 4,
  });
  expect(rows.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['changed a', 'added c']);
  expect((await library.difference(null, to, all)).counts).toMatchObject({ added: 2, broken: 1 });
});

test('the rule library compares one rule line by line, and fails for a number without a rule', async () => {
  const from = await loaded({ 'a.yar': `\n\n${ruleText('a')}` });
  const to = await loaded({ 'a.yar': ruleText('a', { meta: '2' }) });
  const { old, new: is, lines } = await library.ruleDifference(from, to, { old: 0, new: 0 });
  expect([old?.line, is?.line]).toEqual([3, 1]);
  expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', old: 5, new: null, at: [[15, 16]] },
    { kind: 'added', old: null, new: 3, at: [[15, 16]] },
  ]);
  expect((await library.ruleDifference(null, to, { old: null, new: 0 })).lines.map(({ kind }) => kind)).toEqual(
    Array(5).fill('added'),
  );
  expect((await library.ruleDifference(from, to, { old: 0, new: null })).new).toBeNull();
  for (const rules of [
    { old: 1, new: 0 },
    { old: null, new: 7 },
  ]) {
    await expect(library.ruleDifference(from, to, rules)).rejects.toMatchObject({ failure: { kind: 'rule-missing' } });
  }
  await expect(library.ruleDifference(null, to, { old: 0, new: 0 })).rejects.toMatchObject({
    failure: { kind: 'rule-missing' },
  });
});

test('the rule library reads and compiles more packages than it caches in parallel, and evicts none', async () => {
  const named = Array.from({ length: 8 }, (_, index) => `beside ${index}`);
  const gated = await Promise.all(
    named.map((key, index) =>
      library.gate(key, { ...quiet, files: filesOf({ 'a.yar': ruleText(`beside_${index}`) }) }),
    ),
  );
  expect(gated).toEqual(
    named.map((_, index) => ({
      rules: 1,
      namespaces: 1,
      broken: [],
      brokenTotal: 0,
      warnings: [expect.objectContaining({ rule: `beside_${index}`, code: 'invariant_expr' })],
    })),
  );
});

test('the rule library compiles packages one after another with all engines, and cancels a waiting one', async () => {
  const rules = Array.from({ length: 120 }, (_, number) => ruleText(`rule_${number}`)).join('\n');
  const keys = await Promise.all(['one', 'two', 'three'].map((name) => loaded({ [`${name}.yar`]: rules })));
  const waits = new AbortController();
  const turns: number[] = [];
  const gates = keys.map((key, at) =>
    library.gate(key, { signal: at === 1 ? waits.signal : quiet.signal, onProgress: () => turns.push(at) }),
  );
  waits.abort();
  await expect(gates[1]).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect(await Promise.all([gates[0], gates[2]])).toMatchObject([{ rules: 120 }, { rules: 120 }]);
  expect(turns.length).toBeGreaterThan(3);
  expect(turns).toEqual(turns.toSorted((one, other) => one - other));
});

test('the rule library ends a gate cancelled during file transfer, and keeps none of its files', async () => {
  const controller = new AbortController();
  const gated = library.gate('on its way', {
    ...quiet,
    signal: controller.signal,
    files: filesOf({ 'a.yar': ruleText('a') }),
  });
  controller.abort();
  await expect(gated).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await expect(library.rules('on its way', searchFor(''), everything)).rejects.toBeInstanceOf(NotLoadedError);
});

test('the rule library lists rules in windows and shows them one by one, also broken ones', async () => {
  const key = await loaded({
    'a.yar': `rule a : t { meta: description = "what it finds" condition: true }\nprivate rule b { }\n${ruleText('c')}`,
  });
  expect(await library.rules(key, searchFor('RULE'), { offset: 1, limit: 1, columns: [] })).toEqual({
    rows: [
      {
        number: 1,
        name: 'b',
        key: 'b',
        file: 'a.yar',
        line: 2,
        tags: [],
        isPrivate: true,
        isGlobal: false,
        description: null,
        broken: null,
        warnings: [],
        values: [],
      },
    ],
    total: 3,
    metaKeys: ['description', 'revision'],
  });
  expect((await library.ruleNames(key, 'WHAT', 8)).map(({ name }) => name)).toEqual(['a']);
  expect(await library.ruleNames(key, 'rule', 8)).toEqual([]);
  expect(await library.rule(key, 0)).toEqual({
    row: {
      number: 0,
      name: 'a',
      key: 'a',
      file: 'a.yar',
      line: 1,
      tags: ['t'],
      isPrivate: false,
      isGlobal: false,
      description: 'what it finds',
      broken: null,
    },
    warnings: [],
    meta: [{ key: 'description', value: 'what it finds' }],
    imports: [],
    source: {
      file: 'a.yar',
      line: 1,
      lines: 1,
      isCut: false,
      text: 'rule a : t { meta: description = "what it finds" condition: true }',
    },
  });
  await expect(library.rule(key, 3)).rejects.toMatchObject({ failure: { kind: 'rule-missing' } });
});

test('the rule library keeps the four packages used last, and reports when another one is not loaded', async () => {
  const keys: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) keys.push(await loaded({ 'a.yar': ruleText(name) }));
  await library.rules(keys[0] ?? '', searchFor(''), everything);
  keys.push(await loaded({ 'a.yar': ruleText('e') }));
  expect(keys.map((key) => library.has(key))).toEqual([true, false, true, true, true]);
  const gone = keys[1] ?? '';
  const asked = [
    library.gate(gone, quiet),
    library.difference(null, gone, all),
    library.difference(gone, keys[0] ?? '', all),
    library.ruleDifference(gone, gone, { old: 0, new: 0 }),
    library.rules(gone, searchFor(''), everything),
    library.ruleNames(gone, 'a', 1),
    library.rule(gone, 0),
    library.prints(gone, []),
  ];
  for (const answer of await Promise.allSettled(asked))
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(NotLoadedError) });
});

test('the rule library accepts any text as a key, which names only its package', async () => {
  const keys = ['', '__proto__', 'constructor', '../x', '\u0000', '\ud800', 'k'.repeat(100_000)];
  for (const key of keys) {
    expect(library.has(key)).toBe(false);
    await expect(library.rules(key, searchFor(''), everything)).rejects.toBeInstanceOf(NotLoadedError);
    await library.load(key, filesOf({ ['__proto__']: ruleText('constructor') }), null);
    expect((await library.rules(key, searchFor(''), everything)).rows.map(({ name, file }) => [name, file])).toEqual([
      ['constructor', '__proto__'],
    ]);
  }
});

test('the rule library fails for files over the limits, and keeps nothing', async () => {
  const many = Array.from({ length: 20_001 }, (_, index) => ({ path: `${index}.yar`, bytes: new Uint8Array() }));
  await expect(library.load('too many', many, null)).rejects.toMatchObject({ failure: { kind: 'archive-limit' } });
  expect(library.has('too many')).toBe(false);
});

test('the rule library fails requests when its thread ends, and starts a new one without packages next', async () => {
  const other = openRuleLibrary();
  const files = filesOf({ 'a.yar': ruleText('a') });
  await other.load('key', files, null);
  const worker = await threadOf(other);
  const asked = [
    other.gate('key', quiet),
    other.load('more', files, null),
    ...Array.from({ length: 200 }, () => other.rules('key', searchFor(''), everything)),
  ];
  const ended = worker.terminate();
  const answers = await Promise.allSettled(asked);
  await ended;
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ failure: { kind: 'worker-ended' } });
  expect(answers.at(-1)?.status).toBe('rejected');
  expect(other.has('key')).toBe(false);
  await expect(other.rules('key', searchFor(''), everything)).rejects.toBeInstanceOf(NotLoadedError);
  expect(await other.load('key', files, null)).toEqual({ files: 1, rules: 1 });
  await other.close();
});

test('the rule library, once closed, answers nothing more and cancels pending requests', async () => {
  const other = openRuleLibrary();
  const asked = other.load('key', filesOf({ 'a.yar': ruleText('a') }), null);
  const closed = other.close();
  await expect(asked).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await closed;
  expect(other.has('key')).toBe(false);
  await expect(other.rules('key', searchFor(''), everything)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('the rule library does not keep a program running while idle', async () => {
  const program = `
    const { openRuleLibrary } = await import(${JSON.stringify(new URL('./rule-library.ts', import.meta.url).href)});
    const library = openRuleLibrary();
    const bytes = new TextEncoder().encode('rule a { condition: true }');
    await library.load('key', [{ path: 'a.yar', bytes }], null);
    const { rules } = await library.gate('key', { signal: new AbortController().signal, onProgress() {} });
    console.log(rules);`;
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', program], {
    timeout: 30_000,
  });
  expect(stdout).toBe('1\n');
});

test('the rule library, closed while it reads, lets its program end normally', async () => {
  const program = `
    const { openRuleLibrary } = await import(${JSON.stringify(new URL('./rule-library.ts', import.meta.url).href)});
    const library = openRuleLibrary();
    const bytes = new TextEncoder().encode('rule a { condition: true }');
    const asked = library.load('key', [{ path: 'a.yar', bytes }], null).catch(({ failure }) => failure.kind);
    await library.close();
    console.log(await asked);`;
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', program], {
    timeout: 30_000,
  });
  expect(stdout).toBe('cancelled\n');
});

test('the rule library gives an engine usable rules in compile order with short meta, and hits details', async () => {
  const key = 'pieces';
  await library.load(
    key,
    filesOf({
      'a.yar':
        'include "z.yar"\nimport "pe"\nimport "nothing_like_it"\n' +
        'global rule last : t u { meta: Malware = " Zeus " author = "x" condition: first }\n' +
        'rule user { condition: bad }\nrule good { condition: first and pe.is_pe }',
      'z.yar': 'import "pe" private rule first { condition: true }\nrule bad { condition: nothing }',
    }),
    [brokenAt('bad', 'z.yar', 2), { ...brokenAt(null, 'a.yar', 3), text: 'unknown module' }],
  );
  expect(await library.pieces(key)).toEqual({
    imports: ['pe'],
    rules: [
      {
        name: 'first',
        text: 'private rule first { condition: true }',
        uses: [],
        asks: [],
        isGlobal: false,
        isPrivate: true,
      },
      {
        name: 'last',
        text: 'global rule last : t u { meta: a = 1 condition: first }',
        uses: ['first'],
        asks: [],
        isGlobal: true,
        isPrivate: false,
      },
      {
        name: 'good',
        text: 'rule good { condition: first and pe.is_pe }',
        uses: ['first'],
        asks: [],
        isGlobal: false,
        isPrivate: false,
      },
    ],
  });
  expect(await library.facts(key, ['last', 'bad', 'good'])).toEqual([
    {
      name: 'last',
      number: 0,
      file: 'a.yar',
      line: 4,
      tags: ['t', 'u'],
      meta: [
        { key: 'Malware', value: ' Zeus ' },
        { key: 'author', value: 'x' },
      ],
      family: 'Zeus',
    },
    null,
    { name: 'good', number: 2, file: 'a.yar', line: 6, tags: [], meta: [], family: null },
  ]);
});

test('the rule library sends a package to an engine in parts, each rule once', async () => {
  const text = Array.from({ length: 5000 }, (_, index) =>
    ruleText(`r${index}`, { condition: `filesize > ${index} // ${'x'.repeat(300)}\n` }),
  ).join('');
  await library.load('many', filesOf({ 'a.yar': text }), []);
  const { rules } = await library.pieces('many');
  expect(rules.map(({ name }) => name)).toEqual(Array.from({ length: 5000 }, (_, index) => `r${index}`));
});

test('the rule library gives rules of one name in two files separate keys, and names each by its own', async () => {
  const key = await loaded({ 'a.yar': ruleText('same', { meta: '1' }), 'b/c.yar': ruleText('same', { meta: '2' }) });
  expect((await library.rules(key, searchFor(''), everything)).rows.map((row) => row.key)).toEqual([
    'same',
    'b/c.yar:same',
  ]);
  expect(
    (await library.facts(key, ['same', 'b/c.yar:same', 'a.yar:same'])).map(
      (facts) => facts && [facts.name, facts.file],
    ),
  ).toEqual([['same', 'a.yar'], ['b/c.yar:same', 'b/c.yar'], null]);
  expect((await library.pieces(key)).rules).toMatchObject([
    { name: 'same' },
    { name: 'b/c.yar:same', identifier: 'same__2' },
  ]);
  const [first, second] = await library.prints(key, ['same', 'b/c.yar:same']);
  expect(first).not.toBe(second);
});

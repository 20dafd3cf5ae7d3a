import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadNative } from '../../../rules/engine/native-yara.ts';
import { openedSession, orderFor, ordersFor, saidOf, scanAll } from './scan-session.ts';

const engines = hasNative() ? (['wasm', 'native'] as const) : (['wasm'] as const);

function hasNative(): boolean {
  try {
    return loadNative() !== null;
  } catch {
    return false;
  }
}

const ofText = (name: string, text = name): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;
const endless =
  'rule endless { strings: $a = "never" condition: $a and for all i in (0..9223372036854775806) : (i >= 0) }\n';

// The last is the one that scans; where there are two, the other is a further case.
for (const engine of engines)
  describe(`with the ${engine} engine`, { tags: engine === engines.at(-1) ? [] : ['long'] }, () => {
    test('each file has its rules, its name is a variable, and private rules and strings are hidden', async () => {
      const { session } = await openedSession(
        `
      global rule all_over { condition: filesize < 1MB }
      private rule hidden { strings: $a = "abc" condition: $a }
      rule seen : t { strings: $a = "abc" private $b = "bcd" $ = "cd" $ = "d" condition: hidden and all of them }
      rule named { condition: filename == "one.exe" and extension == ".exe" }`,
        { engine },
      );
      const [one, none] = await Promise.all(
        ordersFor({ 'one.exe': 'xxabcdxx abcd', none: '' }).map((order) => session.scan(order)),
      );
      expect(one).toMatchObject({
        kind: 'scanned',
        isCut: false,
        found: [
          { rule: 'all_over', strings: [] },
          { rule: 'named', strings: [] },
          {
            rule: 'seen',
            strings: [
              {
                id: '$',
                total: 4,
                isAtLeast: false,
                matches: [
                  { offset: 4, length: 2, data: '6364' },
                  { offset: 5, length: 1, data: '64' },
                  { offset: 11, length: 2, data: '6364' },
                  { offset: 12, length: 1, data: '64' },
                ],
              },
              {
                id: '$b',
                total: 2,
                matches: [
                  { offset: 3, length: 3, data: '626364' },
                  { offset: 10, length: 3, data: '626364' },
                ],
              },
            ],
          },
        ],
      });
      expect(none === undefined ? '' : saidOf(none)).toBe('all_over');
    });

    test('files whose names read as numbers or booleans are scanned, and no engine ends because of them', async () => {
      const { session, workers } = await openedSession(
        `
      private rule numbered { condition: filename matches /^[0-9]+$/ }
      global rule small { condition: filesize < 100 }
      rule plain { strings: $a = "x" condition: $a }
      rule uses { condition: numbered and plain }
      rule long_name { condition: for any n in ("1234", "true", "lib.so.6") : (n == filename) }
      rule short { condition: extension == ".001" or filepath == "true" }`,
        { engine, workers: 2 },
      );
      const found = {
        'dump.001': 'plain short small',
        1234: 'long_name plain small uses',
        '0042': 'plain small uses',
        true: 'long_name plain small',
        False: 'plain small',
        'lib.so.6': 'long_name plain small',
        'python3.11': 'plain small',
        'a.exe': 'plain small',
      };
      const files = Object.fromEntries(Object.keys(found).map((name) => [name, `x ${name}`]));
      expect(await scanAll(session, ordersFor({ ...files, large: 'x'.repeat(200) }))).toEqual([
        ...Object.values(found),
        '',
      ]);
      expect(workers.length).toBe(2);
    });

    test('a rule that hangs under one name of a file is skipped, and all other rules scan the file', async () => {
      const asking =
        'rule asks { strings: $a = "never" condition: filename == "1234" and $a and for all i in ' +
        '(0..9223372036854775806) : (i >= 0) }\n';
      const { session, leftOut } = await openedSession(
        `${ofText('a')}${asking}rule other { condition: filename == "1234" }\n`,
        { engine, limits: { fileSeconds: 0.5 } },
      );
      expect(await scanAll(session, ordersFor({ 1234: 'a never', plain: 'a never' }))).toEqual(['a other', 'a']);
      expect(leftOut).toEqual(['asks endless']);
    });

    test('the same bytes are scanned under each of their names, and names over the limit are counted', async () => {
      const { session } = await openedSession(
        'rule plain { condition: true }\nrule b { condition: filename == "b" }\n' +
          'rule n { condition: filename == "7" }\nrule p { condition: filepath contains "/lab/" }',
        { engine },
      );
      const [order] = ordersFor({ any: 'x' });
      const named = (names: string[]): NonNullable<typeof order> => ({
        ...(order ?? expect.fail()),
        facts: names.map((name) => ({ name, path: name === 'b' ? '/lab/b' : null, owner: null })),
      });
      const said = await Promise.all(
        [['7', 'b', 'c'], ['b'], [...Array.from({ length: 40 }, (_, index) => `x${index}`), 'b']].map((names) =>
          session.scan(named(names)),
        ),
      );
      expect(said.map((verdict) => [saidOf(verdict), verdict.kind === 'scanned' && verdict.namesLeftOut])).toEqual([
        ['b n p plain', 0],
        ['b p plain', 0],
        ['plain', 9],
      ]);
    });

    test('only the requested rules are reported', async () => {
      const { session } = await openedSession(
        `global rule g { condition: true }\n${ofText('a')}rule b { condition: a }\n${ofText('c')}`,
        { engine, names: new Set(['b']) },
      );
      expect(await scanAll(session, ordersFor({ 1: 'a c', 2: 'c' }))).toEqual(['b', '']);
    });

    test('a missing or changed file is unreadable, and the others are scanned', async () => {
      const { session } = await openedSession(ofText('a'), { engine });
      const orders = ordersFor({ 1: 'a', 2: 'a', 3: 'a', 4: 'a' });
      const paths = orders.map(({ source }) => (source.kind === 'staged' ? source.source.path : ''));
      rmSync(paths[1] ?? '');
      writeFileSync(paths[2] ?? '', 'longer than before');
      expect(await scanAll(session, orders)).toEqual(['a', 'unreadable: ENOENT', 'unreadable: changed', 'a']);
    });

    test('a rule that hangs the engine is skipped with its dependents, and all files are scanned', async () => {
      const rules = [ofText('a'), ofText('b'), endless, 'rule uses { condition: endless or true }\n', ofText('d')].join(
        '',
      );
      const { session, leftOut } = await openedSession(rules, { engine, workers: 2, limits: { fileSeconds: 0.25 } });
      const files = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`${index}`, index % 10 === 7 ? 'never a' : 'b d']),
      );
      const said = await scanAll(session, ordersFor(files));
      expect(said.filter((each) => each !== 'b d' && each !== 'b d uses')).toEqual(['a', 'a']);
      expect(leftOut).toEqual(['endless endless', 'uses endless']);
    });

    test('an engine killed midway is followed by another, and no file is lost', async () => {
      const { session, workers } = await openedSession(ofText('a'), { engine, workers: 2 });
      const files = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
      const scan = (): Promise<string[]> =>
        scanAll(session, ordersFor(Object.fromEntries(files.map((content, index) => [`${index}`, content]))));
      let isDead = false;
      const kill = async (): Promise<void> => {
        await workers[0]?.kill();
        isDead = true;
      };
      const dying = kill();
      const verdicts = new Set<string>();
      // How long it takes to die is up to the machine; there is always something to scan meanwhile, and once more
      // afterwards.
      for (let last = false; !last;) {
        last = isDead;
        verdicts.add((await scan()).join());
      }
      await dying;
      expect([...verdicts]).toEqual([files.map((content) => (content === 'a' ? 'a' : '')).join()]);
      // One that died before it was ready is followed by another after a pause, which the other scan worker may not
      // need for these files.
      await expect.poll(() => workers.length).toBe(3);
    });

    test('a string with too many matches reports at least that many', async () => {
      const { session } = await openedSession('rule many { strings: $a = "a" $b = "b" condition: any of them }', {
        engine,
      });
      const [order] = ordersFor({ many: Buffer.concat([Buffer.alloc(100_010, 'a'), Buffer.from('b')]) });
      const verdict = order && (await session.scan(order));
      const strings = verdict?.kind === 'scanned' ? (verdict.found[0]?.strings ?? []) : [];
      expect(
        strings.map(({ id, total, isAtLeast, matches }) => [
          id,
          total,
          isAtLeast,
          matches.length,
          matches.at(-1)?.offset,
        ]),
      ).toEqual([
        ['$a', 100_000, true, 1000, 999],
        ['$b', 1, false, 1, 100_010],
      ]);
      expect(verdict).toMatchObject({ isCut: true });
    });

    test('a cancel cancels everything under way, also with an engine that does not end', async () => {
      const { session, abort } = await openedSession(endless, { engine });
      const scanning = scanAll(session, ordersFor({ 1: 'never' }));
      abort();
      await expect(scanning).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
      await expect(session.waitForSpace()).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
      await session.close();
    });
  });

// Ten million matches, of which each is an object before it is counted.
const hungry =
  `rule hungry { strings: ${Array.from({ length: 100 }, (_, index) => `$a${index} = { 61 }`).join(' ')} ` +
  'condition: any of them }\n';

test.runIf(hasNative())(
  'a rule that takes too much memory is named and left out, and every file is scanned',
  async () => {
    const { session, leftOut } = await openedSession([ofText('a'), ofText('b'), hungry, ofText('d')].join(''), {
      engine: 'native',
      limits: { memoryMebibytes: 256 },
    });
    expect(await scanAll(session, ordersFor({ 1: 'b', 2: `${'a'.repeat(120_000)}d`, 3: 'd' }))).toEqual([
      'b',
      'a d',
      'd',
    ]);
    expect(leftOut).toEqual(['hungry memory']);
  },
);

test.runIf(hasNative())('a file that takes too much memory is named, and no rule is left out for it', async () => {
  const { session, leftOut } = await openedSession(ofText('a'), { engine: 'native', limits: { memoryMebibytes: 256 } });
  const [large, small] = ordersFor({ large: '', small: 'a' });
  const source =
    large?.source.kind === 'staged' && large.source.source.kind === 'in-place'
      ? large.source.source
      : expect.fail('no file');
  truncateSync(source.path, 400 * 1024 * 1024);
  const said = await Promise.all([session.scan(orderFor(source.path)), session.scan(small ?? expect.fail('no file'))]);
  expect(said[0]).toEqual({ kind: 'failed', failure: { kind: 'scan-memory', name: 'large', mebibytes: 256 } });
  expect([said[1] && saidOf(said[1]), leftOut]).toEqual(['a', []]);
});

test('a process is replaced by another before it has taken too much memory', async () => {
  const { session, workers } = await openedSession(ofText('a'), { limits: { recycleAfter: 8 } });
  expect(
    new Set(
      await scanAll(
        session,
        ordersFor(Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`${index}`, 'a']))),
      ),
    ),
  ).toEqual(new Set(['a']));
  expect(workers.length).toBeGreaterThanOrEqual(3);
});

test('rules that do not compile are refused', async () => {
  await expect(openedSession('rule a { condition: nothing }')).rejects.toMatchObject({
    failure: {
      kind: 'scan-engine-failed',
      text: 'unknown identifier `nothing`: this identifier has not been declared',
    },
  });
  if (hasNative())
    await expect(openedSession('rule a { condition: nothing }', { engine: 'native' })).rejects.toMatchObject({
      failure: {
        kind: 'native-engine-refused',
        text: 'unknown identifier `nothing`: this identifier has not been declared',
      },
    });
});

test.runIf(hasNative() && process.platform !== 'win32')(
  'an endless scan ends when the program that began it is killed',
  async () => {
    const [order] = ordersFor({ file: '' });
    const path = order?.source.kind === 'staged' ? order.source.source.path : '';
    const host = spawn(process.execPath, [fileURLToPath(new URL('orphaned-scanner.ts', import.meta.url)), path], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Also where it fails: its scanner ends with it.
    onTestFinished(() => void host.kill('SIGKILL'));
    const [said]: unknown[] = await once(host.stdout, 'data');
    expect(JSON.parse(String(said))).toMatchObject({ kind: 'compiled' });
    host.kill('SIGKILL');
    // The scanner has the other end of its stderr too: while it lives, that is open.
    expect(await once(host, 'close')).toEqual([null, 'SIGKILL']);
  },
);

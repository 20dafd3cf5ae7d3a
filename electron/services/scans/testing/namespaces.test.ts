import { expect, test } from 'vitest';
import { NativeEngine } from '../native-engine.ts';
import { openedSession, ordersFor, processes, scanAll } from './scan-session.ts';

const native = await new NativeEngine(processes).check();

const duplicates = {
  'a.yar':
    'rule same { strings: $a = "first-body" condition: $a }\n' +
    'private rule helper { strings: $a = "ha" condition: $a }\nrule user_a { condition: helper }',
  'b.yar':
    'rule same { strings: $a = "second-body" condition: $a }\n' +
    'private rule helper { strings: $a = "hb" condition: $a }\nrule user_b { condition: helper }',
};
const files = {
  one: 'ha',
  two: 'hb',
  three: 'first-body',
  four: 'second-body',
  five: 'ha hb first-body second-body',
  six: '',
};
const found = ['user_a', 'user_b', 'same', 'b.yar:same', 'b.yar:same same user_a user_b', ''];

test.each(['wasm', 'native'] as const)(
  'equal rule names in two files hit side by side, each with its file’s helper, with the %s engine',
  async (engine) => {
    if (engine === 'native' && !native.ok) return;
    const { session } = await openedSession(duplicates, { engine });
    expect(await scanAll(session, ordersFor(files))).toEqual(found);
  },
);

test('a rule with several meanings is found once, and a global rule binds only its own file', async () => {
  const shared = 'rule user { strings: $a = "x" condition: $a and helper }';
  const texts = {
    'a.yar': 'private rule helper { strings: $a = "ha" condition: $a }\ninclude "s.yar"',
    'b.yar': 'private rule helper { strings: $a = "hb" condition: $a }\ninclude "s.yar"',
    's.yar': shared,
    'g.yar': 'global rule limit { condition: filesize < 4 }\nrule small { condition: true }',
  };
  const { session } = await openedSession(texts);
  expect(await scanAll(session, ordersFor({ one: 'x ha', two: 'x hb', three: 'x ha hb', four: 'x' }))).toEqual([
    'user',
    'user',
    'user',
    'limit small',
  ]);
  const named = await openedSession(texts, { names: new Set(['small']) });
  expect(await scanAll(named.session, ordersFor({ one: 'x ha', four: 'x' }))).toEqual(['', 'small']);
});

test('an endless rule is left out by its key, and its namesake stays', async () => {
  const { session, leftOut } = await openedSession(
    {
      'a.yar': 'rule same { strings: $a = "alpha" condition: $a }',
      'b.yar': 'rule same { strings: $a = "alpha" condition: $a and for all i in (0..9223372036854775806) : (i >= 0) }',
    },
    { limits: { fileSeconds: 1 } },
  );
  expect(await scanAll(session, ordersFor({ one: 'alpha' }))).toEqual(['same']);
  expect(leftOut).toEqual(['b.yar:same endless']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import { defaultSettings, settingSchemas } from '../../../shared/domain/settings.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { SettingsStore } from './settings-store.ts';

let database: TestDatabase;
const reopen = databaseForEachTest((opened) => {
  database = opened;
});

const damage = (name: string, value: string): void =>
  void database.db.command('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, value);

test('a new installation has the defaults', () => {
  expect(new SettingsStore(database.db).read()).toEqual({ values: defaultSettings, damaged: [] });
});

test('a change survives a restart and touches nothing else', () => {
  expect(new SettingsStore(database.db).change({ theme: 'dark', singleLetterKeys: false })).toEqual({
    ...defaultSettings,
    theme: 'dark',
    singleLetterKeys: false,
  });
  reopen();
  expect(new SettingsStore(database.db).read().values).toEqual({
    ...defaultSettings,
    theme: 'dark',
    singleLetterKeys: false,
  });
});

test.each(['{"half', '"purple"', 'null', '', '[1]'])(
  'a row damaged into %j falls back to its default, is named, and the others remain',
  (value) => {
    const store = new SettingsStore(database.db);
    store.change({ exportEncryption: 'zipcrypto' });
    damage('theme', value);
    expect(store.read()).toEqual({ values: { ...defaultSettings, exportEncryption: 'zipcrypto' }, damaged: ['theme'] });
  },
);

test('a damaged row stays until it is changed', () => {
  const store = new SettingsStore(database.db);
  damage('theme', 'broken');
  store.change({ exportPassword: 'other' });
  expect(store.read().damaged).toEqual(['theme']);
  store.change({ theme: 'light' });
  expect(store.read()).toMatchObject({ values: { theme: 'light' }, damaged: [] });
});

test('a setting of another version is left alone', () => {
  const store = new SettingsStore(database.db);
  damage('fromTheFuture', '"x"');
  damage('__proto__', '{"theme":"dark"}');
  expect(store.read()).toEqual({ values: defaultSettings, damaged: [] });
});

test('a change with an invalid value stores nothing', () => {
  const store = new SettingsStore(database.db);
  expect(() => store.change({ theme: 'dark', exportPassword: '' })).toThrow();
  expect(store.read().values).toEqual(defaultSettings);
});

const numbers = [
  'bulkUrlBytes',
  'bulkConnections',
  'uploadFiles',
  'uploadMebibytes',
  'scanSeconds',
  'scanMebibytes',
  'scanMemoryMebibytes',
] as const;

test.each(numbers)('%s out of its range is refused, and the current value stays', (name) => {
  const store = new SettingsStore(database.db);
  const { minValue, maxValue } = settingSchemas[name];
  const least = minValue ?? Number.NaN;
  const most = maxValue ?? Number.NaN;
  store.change({ [name]: least });
  const outside = fc.oneof(
    fc.integer({ min: most + 1 }),
    fc.integer({ max: least - 1 }),
    fc.double({ noInteger: true }),
  );
  fc.assert(
    fc.property(outside, (value) => {
      expect(() => store.change({ theme: 'dark', [name]: value })).toThrow(ZodError);
      expect(store.read()).toEqual({ values: { ...defaultSettings, [name]: least }, damaged: [] });
    }),
    { numRuns: 50 },
  );
  expect(store.change({ [name]: most })[name]).toBe(most);
});

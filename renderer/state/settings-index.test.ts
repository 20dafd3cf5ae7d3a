import { expect, test } from 'vitest';
import { settingsNames, settingsSections } from './navigation.tsx';
import { findSettings, settingEntries, settingPlaces } from './settings-index.ts';

const find = (words: string) => findSettings(words, settingsNames, { scanMemory: 'Two processes scan at a time.' });

test.each([
  ['proxy', 'proxy'],
  ['certificate', 'clientCertificate'],
  ['dark', 'theme'],
  ['backup', 'backup'],
  ['back up', 'backup'],
  ['token', 'tokens'],
  ['keychain', 'tokens'],
  ['TIME', 'times'],
  ['zip infected', 'exportPassword'],
  ['socks', 'proxy'],
  ['tls', 'trust'],
  ['virustotal', 'compatibility'],
])('the search for “%s” finds %s first or among the first', (words, place) => {
  expect(find(words).slice(0, 3)).toContain(place);
});

test('a setting is found by its help, after those that are called so', () => {
  expect(find('processes')).toEqual(['scanMemory']);
  expect(find('test')[0]).toBe('connectionTest');
});

test('the search needs every word, each from its beginning', () => {
  expect(find('proxy dark')).toEqual([]);
  expect(find('port')).not.toContain('proxy');
  expect(find('xyzzy')).toEqual([]);
});

test('every section has a setting, and none has a place elsewhere', () => {
  const found = new Set(settingPlaces.map((place) => settingEntries[place].section));
  expect([...found].toSorted()).toEqual([...settingsSections].toSorted());
});

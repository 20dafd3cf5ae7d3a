import { expect, test } from 'vitest';
import { operations } from '../contract.ts';
import { exportAs } from './export.ts';
import { settingsChange } from './settings.ts';

const protection = (password: string): object => ({ encryption: 'aes-256', password });
const messages = (issues: readonly { message: string }[] = []): string[] => issues.map(({ message }) => message);
const asZip = (password: string): string[] =>
  messages(exportAs.safeParse({ form: 'one-zip', ...protection(password) }).error?.issues);
const ofOne = (password: string): string[] =>
  messages(
    operations['samples.exportZip'].input.safeParse({ sha256: 'a'.repeat(64), to: 'folder', ...protection(password) })
      .error?.issues,
  );
const asSetting = (exportPassword: string): string[] =>
  messages(settingsChange.safeParse({ exportPassword }).error?.issues);

test.each(['nul\0', 'line\nbreak', 'tab\t', 'half \ud800', '\u200b', '\u0301'])(
  '%j is refused as a password that cannot be typed at the prompt',
  (password) => {
    for (const refusals of [asZip(password), ofOne(password), asSetting(password)])
      expect(refusals).toEqual(['a password on one line, of visible characters']);
  },
);

test('a password of spaces alone is refused', () => {
  for (const refusals of [asZip('   '), ofOne('   ')])
    expect(refusals).toEqual(['a password on one line, of visible characters']);
  expect(asSetting('   ')).toEqual(['a password']);
});

test('a missing password is reported by the export, and is no setting', () => {
  expect(asZip('')).toEqual([]);
  expect(asSetting('')).toEqual(['a password']);
});

test.each(['infected', ' two words ', 'пароль', 'p\u00e4ss"\\'])('%j is accepted as a password', (password) => {
  for (const refusals of [asZip(password), ofOne(password), asSetting(password)]) expect(refusals).toEqual([]);
});

test('a password has a maximum length', () => {
  for (const refusals of [asZip('x'.repeat(129)), ofOne('x'.repeat(129)), asSetting('x'.repeat(129))])
    expect(refusals).toEqual(['a password of at most 128 characters']);
});

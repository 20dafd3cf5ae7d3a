import { expect, test } from 'vitest';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import { fieldsOf, overStored } from './workspace-fields.ts';

const before: WorkspaceView = {
  id: 'w-1',
  name: 'Team',
  builtIn: false,
  repository: { baseUrl: 'https://one.example', hasToken: true },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
};
const now: WorkspaceView = {
  ...before,
  ruleEditor: { baseUrl: 'https://rules.example', hasToken: true },
  allowHttp: true,
  trust: { kind: 'pin', fingerprint: 'a'.repeat(64) },
  timeouts: { ...defaultTimeouts, idleSeconds: 300 },
  options: { ...defaultRepositoryOptions, tokenInForm: true, receivers: { virusTotal: 'VT', sandbox: 'Box' } },
};
const own = fieldsOf(before);

test('an untouched field follows the stored value, and a typed one stays', () => {
  const { fields, otherwise } = overStored(
    { ...own, name: 'Renamed', options: { ...own.options, decodesComments: true } },
    before,
    now,
  );
  const stored = fieldsOf(now);
  expect(fields).toEqual({ ...stored, name: 'Renamed', options: { ...stored.options, decodesComments: true } });
  expect(otherwise).toEqual([]);
});

test('a field changed in both places keeps the typed value, and the stored one is reported', () => {
  const typed = {
    ...own,
    name: 'Mine',
    trust: 'authority' as const,
    pem: 'PEM',
    idleSeconds: '90',
    ruleEditor: { ...own.ruleEditor, baseUrl: 'https://mine.example' },
  };
  const { fields, otherwise } = overStored(typed, before, { ...now, name: 'Theirs' });
  expect(fields).toMatchObject({
    name: 'Mine',
    trust: 'authority',
    pem: 'PEM',
    idleSeconds: '90',
    ruleEditor: { baseUrl: 'https://mine.example' },
  });
  expect(otherwise).toEqual([
    ['Name', 'Theirs'],
    ['Rule editor, Address', 'https://rules.example'],
    ['TLS', `Pin one certificate ${'a'.repeat(64)}`],
    ['Between bytes', '300'],
  ]);
});

test('a service removed elsewhere is reported if its address was typed here, unlike equal changes', () => {
  const typed = { ...own, name: 'Same', repository: { ...own.repository, baseUrl: 'https://two.example' } };
  expect(overStored(typed, before, { ...now, name: 'Same', repository: null }).otherwise).toEqual([
    ['Repository, Address', 'not set'],
  ]);
});

test.each([
  [
    'a token that is typed',
    { stored: true, intent: 'set', typed: 'typed' },
    true,
    { stored: true, intent: 'set', typed: 'typed' },
  ],
  [
    'a token that is typed, over none',
    { stored: true, intent: 'set', typed: 'typed' },
    false,
    { stored: false, intent: 'set', typed: 'typed' },
  ],
  [
    'a token to be cleared',
    { stored: true, intent: 'clear', typed: '' },
    true,
    { stored: true, intent: 'clear', typed: '' },
  ],
  [
    'a token to be cleared that is gone',
    { stored: true, intent: 'clear', typed: '' },
    false,
    { stored: false, intent: 'set', typed: '' },
  ],
  ['a stored token', { stored: true, intent: 'keep', typed: '' }, false, { stored: false, intent: 'set', typed: '' }],
  [
    'an empty field over a token that came',
    { stored: false, intent: 'set', typed: '' },
    true,
    { stored: true, intent: 'keep', typed: '' },
  ],
] as const)('%s', (_what, token, hasToken, joined) => {
  const stored = { ...now, repository: { baseUrl: 'https://one.example', hasToken } };
  expect(
    overStored({ ...own, repository: { ...own.repository, token } }, before, stored).fields.repository.token,
  ).toEqual(joined);
});

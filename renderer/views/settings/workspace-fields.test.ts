import { expect, test } from 'vitest';
import {
  defaultFront,
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  workspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import { draftOf, fieldsOf, movesHost, plainFingerprint, problemsOf, usesHttp } from './workspace-fields.ts';

const stored: WorkspaceView = {
  id: 'w-1',
  name: 'Team',
  builtIn: false,
  repository: { baseUrl: 'https://samples.example/repo', hasToken: true },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
};

test('a stored workspace saved untouched keeps its token and changes nothing', () => {
  const draft = draftOf(fieldsOf(stored));
  expect(draft).toEqual({
    name: 'Team',
    repository: { baseUrl: 'https://samples.example/repo', token: { kind: 'keep' } },
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
    options: defaultRepositoryOptions,
    proxy: defaultProxy,
    front: defaultFrontDraft,
  });
  expect(workspaceDraft.safeParse(draft).success).toBe(true);
});

test('a typed token is stored, a cleared one removed, and an empty field changes none', () => {
  const fields = fieldsOf(stored);
  const withToken = (token: Partial<typeof fields.repository.token>) =>
    draftOf({ ...fields, repository: { ...fields.repository, token: { ...fields.repository.token, ...token } } })
      .repository?.token;
  expect(withToken({ intent: 'set', typed: ' abc ' })).toEqual({ kind: 'set', token: 'abc' });
  expect(withToken({ intent: 'clear' })).toEqual({ kind: 'clear' });
  expect(withToken({ intent: 'set', typed: '' })).toEqual({ kind: 'keep' });
});

test('a new form names all missing values', () => {
  expect(Object.keys(problemsOf(fieldsOf(null)))).toEqual(['name', 'services']);
});

test('each wrong field has its own message', () => {
  const fields = {
    ...fieldsOf(stored),
    repository: { ...fieldsOf(stored).repository, baseUrl: 'samples.example' },
    trust: 'pin' as const,
    fingerprint: 'abc',
    connectSeconds: '0',
    idleSeconds: '',
    firstByteSeconds: '3601',
  };
  expect(Object.keys(problemsOf(fields)).toSorted()).toEqual([
    'connectSeconds',
    'fingerprint',
    'firstByteSeconds',
    'idleSeconds',
    'repository',
  ]);
});

test('the dialect is kept unchanged, its receivers without surrounding spaces', () => {
  const options = {
    tokenInForm: true,
    commentForm: 'brackets' as const,
    decodesComments: true,
    optionalActions: false,
    receivers: { virusTotal: ' Multi scanner ', sandbox: 'Detonation' },
  };
  expect(draftOf(fieldsOf({ ...stored, options })).options).toEqual({
    ...options,
    receivers: { virusTotal: 'Multi scanner', sandbox: 'Detonation' },
  });
});

test('a receiver needs a name when there is a repository', () => {
  const unnamed = {
    ...fieldsOf(stored),
    options: { ...defaultRepositoryOptions, receivers: { virusTotal: ' ', sandbox: 'x'.repeat(41) } },
  };
  expect(Object.keys(problemsOf(unnamed))).toEqual(['virusTotal', 'sandbox']);
  const withoutRepository = {
    ...unnamed,
    repository: { ...unnamed.repository, baseUrl: '' },
    ruleEditor: unnamed.repository,
  };
  expect(problemsOf(withoutRepository)).toEqual({});
});

test('a fingerprint is accepted in the format printed by tools', () => {
  const plain = 'ab'.repeat(32);
  expect(plainFingerprint(`SHA256 Fingerprint=${Array.from({ length: 32 }, () => 'AB').join(':')}`)).toBe(plain);
  expect(plainFingerprint(` sha256:${plain} `)).toBe(plain);
});

test('an address on another host requires the token again', () => {
  const fields = fieldsOf(stored).repository;
  expect(movesHost(stored.repository, { ...fields, baseUrl: 'https://samples.example/other' })).toBe(false);
  expect(movesHost(stored.repository, { ...fields, baseUrl: 'https://elsewhere.example/repo' })).toBe(true);
  expect(
    movesHost(stored.repository, {
      ...fields,
      baseUrl: 'https://elsewhere.example/repo',
      token: { ...fields.token, intent: 'set', typed: 'x' },
    }),
  ).toBe(false);
});

test('plain http gives a warning except to this computer', () => {
  const at = (baseUrl: string) =>
    usesHttp({ ...fieldsOf(null), repository: { ...fieldsOf(null).repository, baseUrl } });
  expect(at('http://samples.example')).toBe(true);
  expect(at('http://127.0.0.1:8080')).toBe(false);
  expect(at('http://127.evil.example')).toBe(true);
  expect(at('https://samples.example')).toBe(false);
});

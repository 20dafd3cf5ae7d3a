import { expect, test } from 'vitest';
import { defaultRepositoryOptions, defaultTimeouts, workspaceDraft } from './workspace.ts';

const draft = {
  name: 'Team',
  repository: { baseUrl: 'https://a.example', token: { kind: 'keep' } },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
};
const refusalsOf = (change: object): string[] =>
  (workspaceDraft.safeParse({ ...draft, ...change }).error?.issues ?? []).map(({ message }) => message);
const receiver = (virusTotal: string): object => ({
  options: { ...defaultRepositoryOptions, receivers: { virusTotal, sandbox: 'Sandbox' } },
});

test.each(['\u200b\u202e', 'a\nb', 'a\tb', 'Team\u202e', '\u3164', '\u0301', 'half \ud800', 'tags\u{e0041}'])(
  'a name with invisible or misleading characters is refused: %j',
  (name) => {
    expect(refusalsOf({ name })).toEqual(['a name on one line, of visible characters']);
    expect(refusalsOf(receiver(name))).toEqual(['a name on one line, of visible characters']);
  },
);

test.each(['', '  ', '\u3000'])('a missing name is refused: %j', (name) => {
  expect(refusalsOf({ name })).toEqual(['a name']);
});

test.each(['Lab (this computer)', ' lab  (This computer) ', 'Ｌab (this computer)'])(
  'the name of the built-in workspace is refused for another one: %j',
  (name) => {
    expect(refusalsOf({ name })).toEqual(['another name than that of the built-in workspace']);
  },
);

test.each(['Équipe №1', 'می\u200cخواهم', 'חשבון', '👩🏽\u200d💻', 'C++', '***', 'Lab'])(
  'the name %j is accepted',
  (name) => {
    expect(refusalsOf({ name })).toEqual([]);
    expect(refusalsOf(receiver(name))).toEqual([]);
  },
);

test('a name is stored without surrounding spaces', () => {
  expect(workspaceDraft.parse({ ...draft, name: ' North ' }).name).toBe('North');
});

const tokenRefusals = (token: string): string[] =>
  refusalsOf({ repository: { baseUrl: 'https://a.example', token: { kind: 'set', token } } });

test.each(['a\r\nX: y', 'nul\0', '\u200babc', 'half \ud800', 'a\tb', '\u202e'])(
  'the token %j is refused because its sent form would differ',
  (token) => {
    expect(tokenRefusals(token)).toEqual(['a token on one line, of visible characters']);
  },
);

test('a token of spaces is refused', () => {
  for (const token of ['', '   ']) expect(tokenRefusals(token)).toEqual(['a token']);
});

test.each(['e', 'k9/+Z\u00df"\\ token&=7', 'x'.repeat(4096)])('the token %j is accepted', (token) => {
  expect(tokenRefusals(token)).toEqual([]);
});

test('a token has a maximum length', () => {
  expect(tokenRefusals('x'.repeat(4097))).toEqual(['a token of at most 4,096 characters']);
});

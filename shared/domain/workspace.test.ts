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
  'a name that is not seen as it is, is none: %j',
  (name) => {
    expect(refusalsOf({ name })).toEqual(['a name on one line, of visible characters']);
    expect(refusalsOf(receiver(name))).toEqual(['a name on one line, of visible characters']);
  },
);

test.each(['', '  ', '\u3000'])('a name has to be there: %j', (name) => {
  expect(refusalsOf({ name })).toEqual(['a name']);
});

test.each(['Lab (this computer)', ' lab  (This computer) ', 'Ｌab (this computer)'])(
  'no other workspace is called as the built-in one: %j',
  (name) => {
    expect(refusalsOf({ name })).toEqual(['another name than that of the built-in workspace']);
  },
);

test.each(['Équipe №1', 'می\u200cخواهم', 'חשבון', '👩🏽\u200d💻', 'C++', '***', 'Lab'])('%j is a name', (name) => {
  expect(refusalsOf({ name })).toEqual([]);
  expect(refusalsOf(receiver(name))).toEqual([]);
});

test('a name is kept without the spaces around it', () => {
  expect(workspaceDraft.parse({ ...draft, name: ' North ' }).name).toBe('North');
});

const tokenRefusals = (token: string): string[] =>
  refusalsOf({ repository: { baseUrl: 'https://a.example', token: { kind: 'set', token } } });

test.each(['a\r\nX: y', 'nul\0', '\u200babc', 'half \ud800', 'a\tb', '\u202e'])(
  '%j is no token: it would not be sent as it is seen',
  (token) => {
    expect(tokenRefusals(token)).toEqual(['a token on one line, of visible characters']);
  },
);

test('spaces are no token', () => {
  for (const token of ['', '   ']) expect(tokenRefusals(token)).toEqual(['a token']);
});

test.each(['e', 'k9/+Z\u00df"\\ token&=7', 'x'.repeat(4096)])('%j is a token', (token) => {
  expect(tokenRefusals(token)).toEqual([]);
});

test('a token has an end', () => {
  expect(tokenRefusals('x'.repeat(4097))).toEqual(['a token of at most 4,096 characters']);
});

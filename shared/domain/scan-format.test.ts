import { expect, test } from 'vitest';
import type { Job, JobTask } from './job.ts';
import { knownShort, knownWords, noHitsOfJob, noHitsWords } from './scan-table.ts';
import type { KnownBesides } from './scan.ts';

const scan = (engines: 'local' | 'service' | 'both', rules: number | null = 409): JobTask => ({
  kind: 'scan',
  engines,
  local: null,
  package: { sha256: null, version: '1', rules },
  name: null,
});
const hunt: JobTask = {
  kind: 'hunt',
  scope: 'changed',
  local: null,
  package: { sha256: null, version: '1', rules: 5883 },
  rules: 1,
  names: [],
  against: null,
};
const job = (task: JobTask, ...leftOut: string[]): Pick<Job, 'task' | 'notices'> => ({
  task,
  notices: leftOut.map((rule) => ({ kind: 'scan-rule-left-out', rule, reason: 'endless' })),
});

test.each([
  [job(scan('local')), [5883], 'no hits (5,883 rules)'],
  [job(scan('local')), [1], 'no hits (1 rule)'],
  [job(scan('local'), 'slow', 'slow', 'other'), [409], 'no hits (407 of 409 rules)'],
  [job(scan('service'), 'slow'), [409], 'no hits (409 rules)'],
  [job(scan('service')), [null], 'no hits (number of rules unknown)'],
  [job(scan('both')), [409, 409], 'no hits (409 rules)'],
  [job(scan('both')), [409, 388], 'no hits (409 rules here, 388 rules in the rule editor)'],
  [job(scan('both')), [409, null], 'no hits (409 rules here, unknown in the rule editor)'],
  [job(hunt), [], 'no hits (1 rule)'],
])('no hits shows the number of rules that scanned (%#)', (of, looked, words) =>
  expect(noHitsWords(of, looked)).toBe(words),
);

test('no hits of a running job has a number only when the rules of all engines are known', () => {
  expect([noHitsOfJob(job(scan('local'))), noHitsOfJob(job(scan('both'))), noHitsOfJob(job(hunt))]).toEqual([
    'no hits (409 rules)',
    'no hits',
    'no hits (1 rule)',
  ]);
});

const none: KnownBesides = {
  hits: { count: 0, rules: [], side: null, versions: [] },
  older: { count: 0, rules: [], side: null, versions: [] },
  severity: null,
  threat: null,
};

test.each<[Partial<KnownBesides>, string[], string]>([
  [{}, [], ''],
  [{ severity: 'other' }, [], ''],
  [{ severity: 'other', threat: 'PUA' }, ['Severity: other (PUA)'], 'severity other (PUA)'],
  [{ threat: 'Emotet' }, ['Threat: Emotet'], 'threat Emotet'],
  [{ severity: 'unwanted' }, ['Severity: unwanted'], 'severity unwanted'],
  [
    { hits: { count: 1, rules: ['a'], side: 'service', versions: ['1'] } },
    ['1 known hit, by the rule editor: a'],
    '1 known hit',
  ],
  [
    { older: { count: 1200, rules: ['a', 'b', 'c'], side: 'local', versions: ['1.2'] } },
    ['1,200 older hits, with rules 1.2: a, b, c and 1,197 more'],
    '1,200 older hits',
  ],
])('other known facts are shown in words (%#)', (known, words, short) => {
  expect([knownWords({ ...none, ...known }), knownShort({ ...none, ...known })]).toEqual([words, short]);
});

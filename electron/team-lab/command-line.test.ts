import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WrongArguments } from '../lab/command-line.ts';
import { usualFormLimits } from '../lab/form-fields.ts';
import { isForTeam, readTeamArguments } from './command-line.ts';

const database = 'postgres://lab@db/lab';
const blobs = 's3://store.example/samples';
const both = `--database ${database} --blobs ${blobs}`;
const read = (line: string) => readTeamArguments(line.split(' '));
const usualServe = {
  kind: 'serve',
  listen: { host: '127.0.0.1', port: 47118 },
  hosts: [],
  trustedProxies: [],
  metrics: null,
  scanBy: 'process',
  requestsPerMinute: 6_000,
  drainMs: 0,
  graceMs: 30_000,
  limits: usualFormLimits,
  passwordFile: null,
};

test.each([
  [`check ${both}`, { kind: 'check', database, blobs }],
  [`--blobs=${blobs} --database=${database} token list`, { kind: 'token-list', database, blobs }],
  [`migrate --database ${database}`, { kind: 'migrate', stocks: false, database, blobs: null }],
  [`migrate --stock ${both}`, { kind: 'migrate', stocks: true, database, blobs }],
  [`serve ${both}`, { ...usualServe, database, blobs }],
  [
    `serve ${both} --listen [::]:8080 --host Samples.example --host b.example:8443 --trusted-proxy 10.0.0.7 ` +
      '--metrics 0.0.0.0:9100 --scan-by workers --requests-per-minute 60 --drain 5 --grace 10 --max-files 3 ' +
      '--package-password-file /p',
    {
      ...usualServe,
      database,
      blobs,
      listen: { host: '::', port: 8080 },
      hosts: ['samples.example', 'b.example:8443'],
      trustedProxies: ['10.0.0.7'],
      metrics: { host: '0.0.0.0', port: 9100 },
      scanBy: 'workers',
      requestsPerMinute: 60,
      drainMs: 5_000,
      graceMs: 10_000,
      limits: { ...usualFormLimits, files: 3 },
      passwordFile: resolve('/p'),
    },
  ],
  [
    `token add --rights read --name ana --database ${database}`,
    { kind: 'token-add', rights: ['read'], name: 'ana', database, blobs: null },
  ],
  [`sweep ${both}`, { kind: 'sweep', olderThanMs: 24 * 3_600_000, database, blobs }],
  [`verify --quick ${both}`, { kind: 'verify', isQuick: true, database, blobs }],
  [
    `audit --who ana --since 2026-11-30 --most 5 --database ${database}`,
    { kind: 'audit', who: 'ana', since: '2026-11-30T00:00:00.000Z', most: 5, database, blobs: null },
  ],
  ['serve --help', null],
])('the command line of a team reads "%s"', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  'check',
  `check --database ${database}`,
  `serve --database ${database}`,
  `migrate --stock --database ${database}`,
  both,
  `${both} --port 8080`,
  `check ${both} more`,
  `check ${both} --database other`,
  `check --blobs ${blobs} --database`,
  `serve ${both} --port 8080`,
  `serve ${both} --data /d`,
  `serve ${both} more`,
  `serve ${both} --listen 8080`,
  `serve ${both} --listen 0.0.0.0:70000`,
  `serve ${both} --host https://samples.example`,
  `serve ${both} --trusted-proxy proxy.example`,
  `serve ${both} --requests-per-minute 0`,
  `serve ${both} --grace 2h`,
  `serve ${both} --scan-by worker`,
  `add a.bin ${both} --data /d`,
  `token add --rights read --database ${database}`,
  `sweep --older-than 0 ${both}`,
  `audit --since yesterday --database ${database}`,
  `audit --since 2026-02-30 --database ${database}`,
  `audit --since 2026-11-30(UTC) --database ${database}`,
  `audit --since 2026-11-30T10:00 --database ${database}`,
  `audit --since 0000-01-01 --database ${database}`,
  `audit --most 0 --database ${database}`,
])('the command line of a team refuses "%s" with one line', (line) => {
  expect(() => read(line)).toThrow(WrongArguments);
  expect(() => read(line)).toThrow(/^[^\n]{5,200}$/);
});

describe('arguments are for a team', () => {
  test.each([
    ['serve --help', true],
    [`token list --database ${database}`, true],
    [`--database=${database}`, true],
    ['audit', true],
    ['', false],
    ['token list --data /d', false],
    ['add --databases.txt', false],
  ])('with "%s": %s', (line, expected) => {
    expect(isForTeam(line.split(' '))).toBe(expected);
  });
});

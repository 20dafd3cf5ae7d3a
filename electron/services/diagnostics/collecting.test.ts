import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { openLog } from '../../storage/log/log.ts';
import { makeTestFolder, type TestFolder } from '../../storage/testing/database.fixture.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { canaries, canariesIn, databaseIn, fillDatabase, fillLog, ownFile, unpacked } from './canaries.fixture.ts';
import { collectDiagnostics, type DiagnosticsSource } from './collecting.ts';

let folder: TestFolder;
let data: string;
beforeEach(() => {
  folder = makeTestFolder();
  data = migratedData(join(folder.path, 'data'));
});
afterEach(() => folder.remove());

const source = (more: Partial<DiagnosticsSource> = {}): DiagnosticsSource => ({
  isOpen: false,
  secrets: [],
  recent: [],
  program: {
    version: '1.2.3',
    engines: { 'yara-x portable': '1.20.0' },
    host: { kind: 'desktop', isPackaged: false },
    dataDirectory: data,
    running: { jobs: 2 },
  },
  ...more,
});

async function collected(more?: Partial<DiagnosticsSource>) {
  const { bytes, missing, fileName } = await collectDiagnostics(source(more));
  const { raw, files } = await unpacked(bytes());
  const json = (name: string): unknown => JSON.parse(files.get(name) ?? 'null');
  const logLines = (): unknown[] =>
    (files.get('log.jsonl') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  return { raw, files, missing, fileName, json, logLines };
}

const id = '0b0e7a9c-1111-4222-8333-444455556666';
const names = ['README.txt', 'about.json', 'log.jsonl', 'settings.json', 'failures.json', 'jobs.json', 'database.json'];

test('the file holds each part once, as text, and is named by the time in UTC', async () => {
  openLog(join(data, 'logs')).write('info', 'started', { version: '1.2.3', platform: 'desktop' });
  const { files, missing, fileName, json, logLines } = await collected();
  expect([[...files.keys()], missing]).toEqual([names, []]);
  expect(fileName).toMatch(/^vitrine-diagnostics-\d{8}T\d{6}Z\.zip$/);
  expect(json('about.json')).toMatchObject({
    vitrine: { version: '1.2.3', host: 'desktop', package: 'checkout' },
    versions: { node: process.versions.node, 'yara-x portable': '1.20.0' },
    running: { jobs: 2 },
  });
  expect(logLines()).toEqual([
    {
      time: expect.stringMatching(/Z$/),
      level: 'info',
      event: 'started',
      facts: { version: '1.2.3', platform: 'desktop' },
    },
  ]);
  expect(json('database.json')).toMatchObject({ problems: 0, rows: { sample: 0, workspace: 0 } });
  expect(files.get('README.txt')).toContain('Nothing was sent.');
});

test('the file leaks no canary in any form from database and log, and holds what a maintainer needs', async () => {
  fillDatabase(databaseIn(data));
  fillLog(join(data, 'logs'));
  const { token, sample, server, comment } = canaries;
  const recent = [
    {
      time: currentInstant(),
      operation: 'samples.lookup',
      failure: { kind: 'html-reply', service: 'repository', address: server, status: 502, text: comment },
    },
  ];
  for (const secrets of [[], [token, canaries.passphrase]]) {
    const { raw, files, missing, json, logLines } = await collected({ secrets, recent });
    expect(missing).toEqual([]);
    const { rows } = z.object({ rows: z.record(z.string(), z.number()) }).parse(json('database.json'));
    expect(
      Object.entries(rows).filter(([, count]) => count === 0),
      'tables without a canary',
    ).toEqual([]);
    for (const [name, text] of files) expect(canariesIn(text), name).toEqual([]);
    expect(canariesIn(raw.toString('latin1'))).toEqual([]);

    expect(json('settings.json')).toMatchObject({
      exportPassword: 'changed',
      currentWorkspace: expect.stringMatching(/^workspace-\d+$/),
      values: { scanSeconds: 45 },
      unreadable: expect.arrayContaining(['theme']),
    });
    const workspaces = z
      .object({ workspaces: z.array(z.looseObject({ repository: z.string().optional() })) })
      .parse(json('settings.json')).workspaces;
    expect(workspaces.at(-1)).toMatchObject({
      repository: 'https://server-1:port/path',
      ruleEditor: 'https://server-1:port/path',
      trust: 'pin',
      options: { commentForm: 'json' },
      proxy: 'socks5, with a user name',
      front: { basic: true, clientCertificate: 'pem' },
    });
    expect(json('failures.json')).toMatchObject({
      answers: [{ operation: 'samples.lookup', kind: 'html-reply', service: 'repository', status: 502 }],
      defects: expect.arrayContaining([
        { time: expect.any(String), id, operation: 'samples.lookup', error: 'TypeError' },
      ]),
      stored: {
        jobs: expect.arrayContaining([
          expect.objectContaining({ failure: { kind: 'not-writable', code: 'EACCES' } }),
          expect.objectContaining({ failure: { kind: 'service-failed', service: 'repository', status: 500 } }),
        ]),
        items: expect.arrayContaining([
          {
            job: expect.any(Number),
            failures: { 'not-writable': 2, 'service-failed': 1, 'unknown to this version': 1, 'wrong-bytes': 1 },
          },
        ]),
        journal: expect.arrayContaining([expect.objectContaining({ operation: 'download', outcome: 'wrong-bytes' })]),
      },
    });
    const defect = logLines().find((line) => typeof line === 'object' && line !== null && 'id' in line);
    expect(defect).toMatchObject({
      id,
      operation: 'samples.lookup',
      error: {
        name: 'TypeError',
        message: expect.stringContaining('Cannot read properties of undefined'),
        frames: expect.arrayContaining([expect.stringContaining(`${ownFile}:`)]),
      },
    });
    expect(raw.length).toBeLessThan(10_000_000);
    expect(files.get('log.jsonl')).not.toContain(sample);
  }
});

test('the file names neither this computer nor its person in any part', async () => {
  const { HOME } = process.env;
  const home = join(folder.path, 'zqxuser');
  process.env['HOME'] = home;
  try {
    const log = openLog(join(data, 'logs'));
    const error = new Error(`ENOENT: no such file or directory, open '${home}/a.exe'`);
    error.stack = `Error: x\n    at zqxuser (${home}/electron/zqxuser/${ownFile}:3:4)\n    at ${home}/other.js:5:6`;
    log.defect(id, 'samples.lookup', error);
    log.close();
    const { files } = await collected();
    expect([...files.values()].filter((text) => text.includes('zqxuser') || text.includes(folder.path))).toEqual([]);
    expect(files.get('log.jsonl')).toContain(`"frames":["${ownFile}:3:4","(elsewhere):5:6"]`);
  } finally {
    process.env['HOME'] = HOME;
  }
});

test('a truncated or invalid database is listed with its reason, and all other parts are saved', async () => {
  openLog(join(data, 'logs')).defect(id, 'samples.lookup', new RangeError('x'));
  for (const [damage, reason] of [
    [() => truncateSync(databaseIn(data), 5_000), /^data-damaged SQLITE_\w+$/],
    [() => writeFileSync(databaseIn(data), 'x'.repeat(10_000)), /^data-damaged SQLITE_NOTADB$/],
  ] as const) {
    damage();
    const { files, missing, json } = await collected();
    expect(missing.map(({ part }) => part)).toEqual(['settings', 'jobs', 'database']);
    for (const one of missing) expect(one.reason).toMatch(reason);
    expect([...files.keys()]).toEqual(['README.txt', 'about.json', 'log.jsonl', 'failures.json']);
    expect(json('failures.json')).toMatchObject({
      defects: [{ id, error: 'RangeError' }],
      stored: { missing: expect.stringMatching(reason) },
    });
    expect(files.get('README.txt')).toMatch(/Missing, with the reason\n {2}settings\.json {2}data-damaged/);
  }
});

test('a database of a newer version is described as far as it is understood, and stays unchanged', async () => {
  const sql = new DatabaseSync(databaseIn(data));
  sql.exec('PRAGMA user_version = 999; ALTER TABLE job RENAME TO work');
  sql.close();
  const before = readFileSync(databaseIn(data));
  const { json, missing } = await collected();
  expect(json('database.json')).toMatchObject({ schemaVersion: 999, rows: { work: 0 } });
  expect(missing).toEqual([
    { part: 'log', reason: 'ENOENT' },
    { part: 'jobs', reason: 'ERR_SQLITE_ERROR' },
  ]);
  expect(readFileSync(databaseIn(data))).toEqual(before);
  expect(readdirSync(data)).toEqual(['vitrine.db']);
});

test('a missing folder’s parts are listed as missing, and the rest is saved', async () => {
  const nowhere = join(folder.path, 'nowhere');
  const { files, missing } = await collected({ program: { ...source().program, dataDirectory: nowhere } });
  expect(missing).toEqual([
    { part: 'log', reason: 'ENOENT' },
    ...['settings', 'jobs', 'database'].map((part) => ({ part, reason: 'data-gone' })),
  ]);
  expect([...files.keys()]).toEqual(['README.txt', 'about.json', 'failures.json']);
  expect(readdirSync(folder.path)).toEqual(['data']);
});

test('a database open in another process is read while that process writes', async () => {
  const writer = new DatabaseSync(databaseIn(data));
  writer.exec(
    `PRAGMA journal_mode = WAL; INSERT INTO setting VALUES ('scanSeconds', '77'); BEGIN IMMEDIATE; INSERT INTO setting
      VALUES ('theme', '"dark"')`,
  );
  const { json, missing } = await collected({ isOpen: true });
  writer.close();
  expect(missing).toEqual([{ part: 'log', reason: 'ENOENT' }]);
  expect(json('settings.json')).toMatchObject({ values: { scanSeconds: 77, theme: 'system' } });
});

test('a long rotated log keeps its newest entries in order, and counts invalid lines', async () => {
  const logs = join(data, 'logs');
  mkdirSync(logs);
  const entry = (at: number): string =>
    `${JSON.stringify({ time: '2026-01-01T00:00:00.000Z', level: 'info', event: 'lab', facts: { restarts: at } })}\n`;
  const perPart = 18_000;
  for (const age of [4, 3, 2, 1, 0]) {
    const lines = Array.from({ length: perPart }, (_one, at) => entry((4 - age) * perPart + at)).join('');
    writeFileSync(
      join(logs, age === 0 ? 'vitrine.log' : `vitrine.log.${age}`),
      age === 0 ? `${lines}no entry\n{"time": 3}\n` : lines,
    );
  }
  copyFileSync(join(logs, 'vitrine.log'), join(logs, 'vitrine.log.bak'));
  const { logLines, files } = await collected();
  const lines = logLines();
  expect(lines.slice(-2)).toEqual([
    { leftOut: 'a line of 8 characters that is no entry' },
    { leftOut: 'a line of 11 characters that is no entry' },
  ]);
  const numbers = z
    .array(z.looseObject({ facts: z.object({ restarts: z.number() }) }))
    .parse(lines.slice(0, -2))
    .map(({ facts }) => facts.restarts);
  expect(numbers.at(-1)).toBe(5 * perPart - 1);
  expect(numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(3 * perPart);
  expect((files.get('log.jsonl') ?? '').length).toBeLessThanOrEqual(6 * 1024 * 1024);
});

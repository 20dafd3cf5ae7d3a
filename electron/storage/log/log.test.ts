import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { type Log, type LogOptions, openLog } from './log.ts';

let folder: TestFolder;
const logs: Log[] = [];
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => {
  for (const log of logs.splice(0)) log.close();
  folder.remove();
});

function open(options?: LogOptions): Log {
  const log = openLog(join(folder.path, 'logs'), options);
  logs.push(log);
  return log;
}
const entriesOf = (log: Log): unknown[] =>
  readFileSync(log.path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const textOfAll = (): string =>
  readdirSync(join(folder.path, 'logs'))
    .map((name) => readFileSync(join(folder.path, 'logs', name), 'utf8'))
    .join('');

test('entries are JSON lines with their time, for the owner only', () => {
  const log = open();
  log.write('info', 'started', { version: '1', nested: { list: [1, null, true, undefined, Number.NaN] } });
  log.defect('id-1', 'samples.lookup', new TypeError('broken'));
  expect(entriesOf(log)).toEqual([
    {
      time: expect.stringMatching(/Z$/),
      level: 'info',
      event: 'started',
      facts: { version: '1', nested: { list: [1, null, true, null, 'NaN'] } },
    },
    {
      time: expect.any(String),
      level: 'defect',
      id: 'id-1',
      operation: 'samples.lookup',
      error: { name: 'TypeError', message: 'broken', stack: expect.stringContaining('log.test.ts') },
    },
  ]);
  expect(statSync(log.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, 'logs')).mode & 0o777).toBe(0o700);
});

test('a log readable by others becomes private', () => {
  mkdirSync(join(folder.path, 'logs'));
  writeFileSync(join(folder.path, 'logs', 'vitrine.log'), 'before\n');
  chmodSync(join(folder.path, 'logs', 'vitrine.log'), 0o666);
  const log = open();
  log.write('info', 'more');
  expect(statSync(log.path).mode & 0o777).toBe(0o600);
  expect(readFileSync(log.path, 'utf8')).toMatch(/^before\n\{/);
});

test('a token is in no entry: message, stack, cause, failure, code, facts, names of facts, event or operation', () => {
  const log = open();
  const token = 'a-recognisable/token+0123456789';
  log.addSecret(token);
  const forms = [
    token,
    encodeURIComponent(token),
    Buffer.from(token).toString('base64'),
    `https://h/api.php?token=${token}&x=1`,
    JSON.stringify({ token }),
  ];
  for (const form of forms) {
    const cause = Object.assign(new Error(form), { code: form });
    const error = new FailureError(
      { kind: 'request-refused', service: 'repository', address: form, status: 400, text: form },
      { cause },
    );
    log.defect(form, form, error);
    log.defect('id', 'op', new AggregateError([new Error(form)], form));
    log.defect('id', 'op', form);
    log.write('warn', form, {
      [form]: form,
      list: [form, { deep: form }],
      url: new URL('https://h/?token=x'),
      error: cause,
      bytes: Buffer.from(form),
    });
  }
  for (const trace of ['recognisable', '0123456789', Buffer.from('recognisable').toString('base64').slice(2, -2)])
    expect(textOfAll()).not.toContain(trace);
  expect(textOfAll()).not.toContain('token=x');
});

test('an unregistered value labelled as a secret is not shown', () => {
  const log = open();
  log.write('info', 'x', {
    token: 'unregistered',
    passphrase: 'unregistered',
    Authorization: 'unregistered',
    sessionCookie: 'unregistered',
  });
  expect(textOfAll()).not.toContain('unregistered');
});

test('a cut never leaves half of a secret', () => {
  const log = open();
  const token = `T${'0123456789'.repeat(30)}`;
  log.addSecret(token);
  for (const before of [3_800, 3_990, 7_900, 65_000, 262_000])
    log.defect('id', 'op', new Error(`${'x'.repeat(before)}${token}`));
  expect(textOfAll()).not.toContain('0123456789');
});

test('hostile values are bounded and do not break the log', () => {
  const log = open();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const trap = {
    get boom(): never {
      throw new Error('trap');
    },
  };
  log.write('info', 'circle', circle);
  log.write('info', 'many', { list: Array.from({ length: 10_000 }, () => 'x'.repeat(10_000)) });
  log.write('info', 'odd', { big: 10n ** 30n, symbol: Symbol('s'), call: () => 1, map: new Map([[1, 2]]) });
  log.write('info', 'trap', { trap });
  log.write('info', 'after');
  expect(entriesOf(log)).toHaveLength(5);
  expect(entriesOf(log)).toContainEqual(expect.objectContaining({ event: 'trap', leftOut: 'it cannot be read' }));
  expect(entriesOf(log).at(-1)).toMatchObject({ event: 'after' });
  for (const line of readFileSync(log.path, 'utf8').split('\n')) expect(line.length).toBeLessThanOrEqual(64 * 1024);
});

test('the log keeps to its limits, the newest entries first, also over restarts', () => {
  const limits = { fileBytes: 2_000, files: 3 };
  for (let start = 0; start < 3; start += 1) {
    const log = open({ limits });
    for (let index = 0; index < 50; index += 1)
      log.write('info', `entry ${start}-${index}`, { filler: 'x'.repeat(100) });
    log.close();
  }
  const names = readdirSync(join(folder.path, 'logs')).toSorted();
  expect(names).toEqual(['vitrine.log', 'vitrine.log.1', 'vitrine.log.2']);
  for (const name of names) expect(statSync(join(folder.path, 'logs', name)).size).toBeLessThanOrEqual(2_000);
  expect(readFileSync(join(folder.path, 'logs', 'vitrine.log'), 'utf8')).toContain('entry 2-49');
  expect(textOfAll()).not.toContain('entry 0-0"');
});

test('a log that cannot be written reports it once and throws nothing', () => {
  writeFileSync(join(folder.path, 'logs'), 'a file in the place of the folder');
  const said: string[] = [];
  const log = open({ complain: (sentence) => said.push(sentence) });
  log.write('info', 'one');
  log.defect('id', 'op', new Error('two'));
  expect(said).toEqual([`The log ${log.path} cannot be written (EEXIST).`]);
});

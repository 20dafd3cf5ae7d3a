import { expect, test } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { windowBounds } from './comment-window.ts';
import { jsonBounds } from './json-values.ts';
import { facts, replyOf } from './reply-inputs.fixture.ts';
import { readOlderBytes, readSampleBytes, readSampleReply } from './sample-reply.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const read = (json: Json) => readSampleReply(json, { status: 200, body: Buffer.alloc(0) }, md5, facts);
const comments = Array.from({ length: 10_000 }, (_, at) => ({
  id: at + 1,
  parent: at === 0 ? null : 1,
  content: `remark ${at}`,
  author: 'ada',
  fullname: 'Ada',
  created: '2026-01-31',
  mood: 'good',
}));

test.each([
  ['wrapped', (record: Json): Json => ({ file: record, other: 1 })],
  ['bare', (record: Json): Json => record],
])('a record of a sample with very many comments is kept completely, %s', (_, shaped) => {
  const record = read(shaped({ md5, comments, size: 2048, threat: 'emotet', other: 1 }));
  expect(record).toMatchObject({ sizeBytes: 2048, threat: 'emotet', listsComments: true });
  expect(record.comments).toHaveLength(comments.length);
  expect(record.comments.at(-1)).toMatchObject({ id: '10000', parentId: '1', content: 'remark 9999' });
  expect(record.unknown).toMatchObject({ other: 1 });
  // What is not understood of each comment is bounded as everything else is.
  expect(Object.values(record.unknown.comments ?? {}).length).toBeLessThan(jsonBounds.values);
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, content: `remark ${at + 1}` }));
const idsOf = (list: readonly { id: string }[]): string[] => [list[0]?.id ?? '', list.at(-1)?.id ?? ''];

test('of a hundred thousand comments the newest are kept, and the others are counted', () => {
  const record = read({ file: { md5, comments: numbered(100_000) } });
  expect(record).toMatchObject({ commentsOmitted: 90_000, listsComments: true });
  expect(record.comments).toHaveLength(windowBounds.comments);
  expect(idsOf(record.comments)).toEqual(['90001', '100000']);
});

test('of a list that begins with the newest comment its beginning is kept', () => {
  const listed = numbered(20_000).toReversed();
  expect(idsOf(read({ md5, comments: listed }).comments)).toEqual(['20000', '10001']);
  const timed = numbered(20_000).map(({ id, content }) => ({
    id: 1_000_000 - id,
    content,
    created: new Date(id * 1000).toISOString(),
  }));
  expect(idsOf(read({ md5, comments: timed }).comments)).toEqual(['989999', '980000']);
});

test('comments that are not kept are read before those that are, down to the oldest', () => {
  const reply = replyOf(JSON.stringify({ file: { md5, comments: numbered(25_000) } }));
  const first = readOlderBytes(reply, md5, 15_000, facts);
  expect([idsOf(first.comments), first.before]).toEqual([['5001', '15000'], 5_000]);
  const last = readOlderBytes(reply, md5, first.before, facts);
  expect([idsOf(last.comments), last.before]).toEqual([['1', '5000'], 0]);
});

test('comments without a number are named by their place in the whole list, whichever are kept', () => {
  const reply = replyOf(JSON.stringify({ md5, comments: numbered(12_000).map(({ content }) => ({ content })) }));
  const { comments: kept } = readSampleBytes(reply, md5, facts);
  expect(idsOf(kept)).toEqual(['unnumbered-2001', 'unnumbered-12000']);
  expect(idsOf(readOlderBytes(reply, md5, 2_000, facts).comments)).toEqual(['unnumbered-1', 'unnumbered-2000']);
});

test('of long comments so many are kept as their characters allow', () => {
  const long = numbered(100).map((one) => ({ ...one, content: 'x'.repeat(200_000) }));
  const { comments: kept, commentsOmitted } = read({ md5, comments: long });
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length * 200_000).toBeLessThan(windowBounds.characters);
  expect(kept.length + commentsOmitted).toBe(100);
});

test('older comments of another sample are a failure, as its record is', () => {
  const reply = replyOf(JSON.stringify({ md5: 'a'.repeat(32), comments: numbered(3) }));
  expect(() => readOlderBytes(reply, md5, 3, facts)).toThrow('wrong-record');
});

test('a long fact is cut, and kept whole among what is not understood', () => {
  const record = read({ md5, filename: 'n'.repeat(5000), tags: ['a', 't'.repeat(2000)], comments: [] });
  expect(record.name).toBe(`${'n'.repeat(999)}…`);
  expect(record.tags).toEqual(['a', `${'t'.repeat(999)}…`]);
  expect(record.unknown).toEqual({ filename: 'n'.repeat(5000), tags: ['a', 't'.repeat(2000)] });
});

test('of very many tags and addresses some are kept, and every TLP', () => {
  const tags = [...Array.from({ length: 9000 }, (_, at) => `t${at}`), 'TLP:RED'];
  const urls = Array.from({ length: 9000 }, (_, at) => `n|https://x.example/${at}`);
  const record = read({ md5, tags, urls });
  expect(record.tags).toHaveLength(2001);
  expect(record.tags.at(-1)).toBe('TLP:RED');
  expect(record.urls).toHaveLength(1000);
});

test('what texts hold as JSON counts with everything else', () => {
  const data = Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => [`part${at}data`, JSON.stringify(Array.from({ length: 15_000 }, () => 1))]),
  );
  const { unknown } = read({ md5, ...data });
  expect(JSON.stringify(unknown).split(',').length).toBeLessThan(jsonBounds.values + 100);
});

test('marks that are too many on one character are left out of every text', () => {
  const hostile = `e${'\u0301'.repeat(20_000)}`;
  const record = read({ md5, threat: hostile, other: [hostile], comments: [{ id: 1, content: hostile }] });
  const few = `e${'\u0301'.repeat(30)}…`;
  expect([record.threat, record.unknown['other'], record.comments[0]?.content]).toEqual([few, [few], few]);
});

const notice = '<br />\n<b>Notice</b>:  Undefined index: x in <b>/w/a.php</b> on line <b>7</b><br />\n';
const shown = 'Notice: Undefined index: x in /w/a.php on line 7';

test('a record behind a warning is read, and carries the warning', () => {
  const record = readSampleBytes(replyOf(`${notice}{"file":{"md5":"${md5}","tags":"a,b"}}`), md5, facts);
  expect(record).toMatchObject({ md5, tags: ['a', 'b'], warning: shown });
});

test('no record behind a warning is no proof that the sample is unknown', async () => {
  expect(await failureOf(() => readSampleBytes(replyOf(`${notice}{"file":null}`), md5, facts))).toMatchObject({
    kind: 'unknown-behind-warning',
    hash: md5,
    text: shown,
  });
});

test.each([
  ['another sample’s record', '{"file":{"md5":"ffffffffffffffffffffffffffffffff"}}', 'wrong-record'],
  ['an error', '{"error":"no"}', 'request-refused'],
  ['no record', '{}', 'unreadable-reply'],
])('%s behind a warning is the failure that it is without one', async (_, body, kind) => {
  expect(await failureOf(() => readSampleBytes(replyOf(notice + body), md5, facts))).toMatchObject({ kind });
});

test('records nested without end are read', () => {
  const deep = JSON.parse(`${'{"file":'.repeat(100_000)}{"md5":"${md5}"}${'}'.repeat(100_000)}`) as Json;
  expect(JSON.stringify(read(deep)).length).toBeLessThan(5_000);
});

test('comments whose numbers JSON rounds to the same value stay separate, each below its own parent', () => {
  const large = [
    ['9007199254740992', 'null'],
    ['9007199254740993', 'null'],
    ['9007199254740995', '9007199254740993'],
  ].map(([id, parent]) => `{"id":${id},"parent":${parent},"content":"x"}`);
  const { comments: kept } = readSampleBytes(
    replyOf(`{"file":{"md5":"${md5}","comments":[${large.join(',')}]}}`),
    md5,
    facts,
  );
  expect(kept.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['9007199254740992', null],
    ['9007199254740993', null],
    ['9007199254740995', '9007199254740993'],
  ]);
});

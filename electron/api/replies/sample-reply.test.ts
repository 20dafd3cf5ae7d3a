import { expect, test } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { jsonBounds } from './json-values.ts';
import { facts, replyOf } from './reply-inputs.fixture.ts';
import { readSampleBytes, readSampleReply } from './sample-reply.ts';

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

test('records nested without end are read', () => {
  const deep = JSON.parse(`${'{"file":'.repeat(100_000)}{"md5":"${md5}"}${'}'.repeat(100_000)}`) as Json;
  expect(JSON.stringify(read(deep)).length).toBeLessThan(5_000);
});

test('comments whose numbers JSON rounds to the same value stay separate, each below its own parent', () => {
  const numbered = [
    ['9007199254740992', 'null'],
    ['9007199254740993', 'null'],
    ['9007199254740995', '9007199254740993'],
  ].map(([id, parent]) => `{"id":${id},"parent":${parent},"content":"x"}`);
  const { comments: kept } = readSampleBytes(
    replyOf(`{"file":{"md5":"${md5}","comments":[${numbered.join(',')}]}}`),
    md5,
    facts,
  );
  expect(kept.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['9007199254740992', null],
    ['9007199254740993', null],
    ['9007199254740995', '9007199254740993'],
  ]);
});

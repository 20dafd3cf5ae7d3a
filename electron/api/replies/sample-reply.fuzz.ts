import { sampleRecord } from '../../../shared/domain/sample.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { commentBounds, jsonBounds } from './json-values.ts';
import { facts, mustBeWithoutSecret, readOrFailed, replyInputs, replyOf } from './reply-inputs.fixture.ts';
import { readSampleBytes } from './sample-reply.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const names = [
  'file',
  'md5',
  'sha1',
  'sha256',
  'filename',
  'size',
  'date',
  'uploader',
  'user_name',
  'threat',
  'criticity',
  'mime',
  'favorite',
  'locked',
  'comment',
  'comments',
  'tags',
  'urls',
  'virustotal_status',
  'virustotal_score',
  'virustotal_link',
  'cuckoo_status',
  'cuckoo_link',
  'ssdeep',
  'imphash',
  'pdbpath',
  'signer',
  'pedata',
  'officedata',
  'error',
  'code',
  'message',
  'id',
  'parent',
  'content',
  'created',
  'author',
  'fullname',
  'name',
  'url',
];
const values = [
  md5,
  md5.toUpperCase(),
  'a'.repeat(40),
  'b'.repeat(64),
  'a,b,,c',
  'Report|https://x.example/a,b|c',
  '2026-01-31 23:59:59',
  '{"sections":[{"name":".text"}]}',
  `${'['.repeat(400)}${']'.repeat(400)}`,
  2 ** 50,
  'unnumbered-1',
  'comment',
];
const whole = {
  file: {
    md5,
    sha256: 'b'.repeat(64),
    filename: 'invoice.exe',
    size: '2048',
    date: '2026-01-31 23:59:59',
    user_name: 'ada',
    criticity: '1',
    favorite: '0',
    locked: 'true',
    comment: 'seen',
    tags: 'a,b',
    urls: 'Report|https://x.example/a,b',
    virustotal_status: '-6',
    cuckoo_status: -2,
    pedata: '{"sections":[]}',
    comments: [
      { id: 1, parent: null, created: 'x', content: 'one', author: 3 },
      { id: 2, parent: 1, content: 'two' },
    ],
  },
};
const kinds = [
  'empty-reply',
  'html-reply',
  'text-around-json',
  'unreadable-reply',
  'service-failed',
  'unknown-hash',
  'request-refused',
  'wrong-record',
  'unknown-behind-warning',
] as const;

export const target = fuzzTarget({
  name: 'sample-reply',
  reads: 'the reply to `getfile`',
  holds: 'a valid record, bounded and without the token, with finite threads; or one of nine failures',
  ...replyInputs(names, values, [whole, whole.file, { file: null }, { error: { code: 'x', message: 'y' } }]),
  attack(text) {
    const reply = replyOf(text);
    const record = readOrFailed(() => readSampleBytes(reply, md5, facts), kinds);
    if (record === undefined) return;
    const { error } = sampleRecord.safeParse(record);
    mustHold(error === undefined, `the contract does not take it: ${error?.issues[0]?.path.join('.') ?? ''}`);
    mustBeWithoutSecret(record);
    mustHold(
      JSON.stringify(record).length <= 6 * (jsonBounds.allTextCharacters + commentBounds.allTextCharacters) + 100_000,
      'it is larger than what is kept of a reply',
    );
    for (const { id } of record.comments)
      mustEnd(id, new Map(record.comments.map((comment) => [comment.id, comment.parentId])));
  },
});

function mustEnd(start: string, parents: ReadonlyMap<string, string | null>): void {
  let current: string | null = start;
  for (let steps = 0; current !== null; steps += 1) {
    mustHold(steps <= parents.size, 'a thread leads back to itself');
    mustHold(parents.has(current), 'a comment answers one that is not there');
    current = parents.get(current) ?? null;
  }
}

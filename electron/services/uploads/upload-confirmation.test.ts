import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { ServerAction } from '../../../shared/domain/server-action.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { connectTo } from '../testing/test-host.fixture.ts';
import { alterationOf } from './upload-confirmation.ts';
import { type ReceivedForm, valuesOf } from './scripted-repository.fixture.ts';
import { filesNamed, newBench, sent } from './upload-bench.fixture.ts';
import { UploadRepairs, type UploadRepairsOptions } from './upload-repairs.ts';
import { team, type TestUploads } from './uploads.fixture.ts';

const comment = 'C++ loader, 100% packed; see a%20b';
const decodedTwice = 'C   loader, 100% packed; see a b';
const encoded = 'C%2B%2B loader, 100%25 packed; see a%2520b';

const withComment = (content: string): SampleRecord =>
  recordWith({ comments: [{ id: 'comment', parentId: null, author: null, content, created: null }] });

test.each<[string, SampleRecord, { comment?: string; tags?: string[]; isEncoded?: boolean }, object | null]>([
  ['as it was sent', withComment(comment), { comment }, null],
  ['with other line ends and entities', withComment('a &amp; b  \r\nc '), { comment: 'a & b\nc' }, null],
  ['decoded once more', withComment(decodedTwice), { comment }, { comment: true, tags: [], decodes: true }],
  ['not decoded', withComment(encoded), { comment, isEncoded: true }, { comment: true, tags: [], decodes: false }],
  ['altered otherwise', withComment('C++ loader'), { comment }, { comment: true, tags: [], decodes: null }],
  ['in a record that shows neither', recordWith({}), { comment, tags: ['a'] }, null],
  [
    'not there, in a list of comments',
    recordWith({ listsComments: true }),
    { comment },
    { comment: true, tags: [], decodes: null },
  ],
  ['with tags in another case', recordWith({ tags: ['Emotet', 'more'] }), { tags: ['emotet'] }, null],
  [
    'without some of the tags',
    recordWith({ tags: ['emotet'] }),
    { tags: ['emotet', 'tlp:green'] },
    { comment: false, tags: ['tlp:green'], decodes: null },
  ],
])('a stored file %s is compared with what was sent', (_, record, words, is) => {
  expect(alterationOf(record, { comment: '', tags: [], isEncoded: false, ...words })).toEqual(is);
});

/** A repository that keeps comments, and reads them as PHP's `urldecode` does once more. */
function decodingScript(): {
  upload(form: ReceivedForm, response: ServerResponse): void;
  comments: Map<string, string>;
} {
  const comments = new Map<string, string>();
  return {
    comments,
    upload: (form, response) => {
      const [text = ''] = valuesOf(form, 'comment');
      const decoded = decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
      for (const { md5 } of form.files) comments.set(md5, decoded);
      response.end(JSON.stringify({ files: form.files.map(({ md5 }) => ({ md5 })) }));
    },
  };
}

test('a comment that a repository decodes once more alters one record, and the next are encoded for it', async () => {
  const { upload, comments } = decodingScript();
  const learnt: boolean[] = [];
  const { setup, repository } = await newBench(
    {
      upload,
      record: (md5, response) => {
        const text = comments.get(md5);
        response.end(JSON.stringify({ file: text === undefined ? null : { md5, comment: text, tags: '' } }));
        return true;
      },
    },
    { learnt },
  );
  setup.uploads.comment(team, comment);
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(learnt).toEqual([true]);
  expect(repository.forms.map(({ files }) => files.length)).toEqual([1, 2]);
  expect([...comments.values()]).toEqual([decodedTwice, comment, comment]);
  const items = await setup.itemsOf(job.id);
  expect(items.map(({ state, failure }) => [state, failure?.kind ?? null])).toEqual([
    ['done', 'upload-altered'],
    ['done', null],
    ['done', null],
  ]);
  expect(items[0]?.failure).toMatchObject({ comment: true, tags: [], decoding: true });
});

test('a comment without a character that decoding changes goes with all files at once', async () => {
  const { setup, repository } = await newBench();
  setup.uploads.comment(team, 'plain words');
  await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(repository.forms.map(({ files }) => files.length)).toEqual([2]);
});

/** A server that decodes comments once more, and lets their records be changed. */
async function alteredUpload(): Promise<{
  setup: TestUploads;
  id: number;
  comments: Map<string, string>;
  baseUrl: string;
}> {
  const { upload, comments } = decodingScript();
  const bench = await newBench({
    upload,
    record: (md5, response) => {
      const text = comments.get(md5);
      response.end(JSON.stringify({ file: text === undefined ? null : { md5, comment: text, tags: '' } }));
      return true;
    },
  });
  bench.setup.uploads.comment(team, comment);
  const { id } = await sent(bench.setup, filesNamed('a.bin'));
  return { setup: bench.setup, id, comments, baseUrl: bench.repository.baseUrl };
}

function repairsOver(
  { setup, baseUrl, lacks }: { setup: TestUploads; baseUrl: string; lacks?: ServerAction },
  changeRecord: UploadRepairsOptions['changeRecord'],
): UploadRepairs {
  return new UploadRepairs({
    connect: connectTo(baseUrl, { token: 'token-of-tests' }),
    uploads: setup.stores.uploads,
    items: setup.stores.jobs,
    jobs: () => setup.jobs,
    mayUse: (_, action) => action !== lacks,
    changeRecord,
  });
}

test('an altered record is repaired with what was sent, and its file has no remark then', async () => {
  const { setup, id, comments, baseUrl } = await alteredUpload();
  const asked: object[] = [];
  const repairs = repairsOver({ setup, baseUrl }, async (request) => {
    asked.push(request);
    comments.set(request.md5, request.change.comment ?? '');
    return { record: recordWith({}), altered: [] };
  });
  expect(repairs.altered({ id })).toEqual({ items: 1, canRepair: true });
  expect(await repairs.repair({ id })).toEqual({ repaired: 1, left: 0, failure: null });
  expect(asked).toMatchObject([{ change: { comment }, basedOn: { comment: decodedTwice, tags: [], threat: '' } }]);
  expect(repairs.altered({ id })).toEqual({ items: 0, canRepair: false });
  expect(await setup.itemsOf(id)).toMatchObject([{ state: 'done', failure: null }]);
});

test('a repair that a server answers with another text keeps the remark, and reports it', async () => {
  const { setup, id, baseUrl } = await alteredUpload();
  const repairs = repairsOver({ setup, baseUrl }, async () => ({ record: recordWith({}), altered: ['comment'] }));
  expect(await repairs.repair({ id })).toMatchObject({ repaired: 0, left: 1, failure: { kind: 'upload-altered' } });
});

test('a record whose text others wrote since is not repaired', async () => {
  const { setup, id, comments, baseUrl } = await alteredUpload();
  for (const md5 of comments.keys()) comments.set(md5, 'seen by the night shift');
  const repairs = repairsOver({ setup, baseUrl }, () => Promise.reject(new Error('not called')));
  expect(await repairs.repair({ id })).toMatchObject({ repaired: 0, left: 1, failure: { kind: 'record-changed' } });
});

test.each(['updatefile', 'getfile'] as const)(
  'an altered file of a repository without %s is only reported',
  async (lacks) => {
    const { setup, id, baseUrl } = await alteredUpload();
    const repairs = repairsOver({ setup, baseUrl, lacks }, () => Promise.reject(new Error('not called')));
    expect(repairs.altered({ id })).toEqual({ items: 1, canRepair: false });
  },
);

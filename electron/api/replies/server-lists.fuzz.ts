import { z } from 'zod';
import { foundPage, type FoundPage, foundSample } from '../../../shared/domain/server-record.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { jsonBounds } from './json-values.ts';
import { facts, mustBeWithoutSecret, readOrFailed, replyInputs, replyOf } from './reply-inputs.fixture.ts';
import { readEditorFiles, readFoundPage, readFoundSamples, readTagsInUse } from './server-lists.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const names = [
  'files',
  'Files',
  'tags',
  'tag',
  'count',
  'md5',
  'sha256',
  'filename',
  'size',
  'date',
  'uploader',
  'user_name',
  'threat',
  'file',
  'comments',
  'id',
  'name',
  'rules',
  'next',
  'total',
  'more',
  'error',
  'message',
  '0',
  '7',
];
/** What the page was requested with. */
const requested = { limit: 3, after: 'bWFyaw' };
const values = [
  true,
  requested.after,
  'bWFyaw'.repeat(1000),
  md5,
  md5.toUpperCase(),
  'b'.repeat(64),
  'a,b,,c',
  ' a ',
  2 ** 60,
  'x'.repeat(250),
  '12',
];
const entry = { md5, filename: 'a.exe', size: '2048', date: '2026-01-31 23:59:59', tags: 'a,b', user_name: 'ada' };
const kinds = ['empty-reply', 'html-reply', 'text-around-json', 'unreadable-reply', 'request-refused'] as const;
const samples = z.array(foundSample).max(1000);

export const target = fuzzTarget({
  name: 'server-lists',
  reads: 'the replies to `getfiles` of both services, to `searchfiles` and to `gettagsdata`',
  holds:
    'samples with an MD5, tags of at most 200 characters, each once, files with an id, ' +
    'pages of at most the limit that lead on; bounded, without the token',
  ...replyInputs(names, values, [
    { files: [entry, { ...entry, md5: 'a'.repeat(32) }] },
    { files: { 0: entry, 7: entry } },
    { files: [entry], next: 'bmV4dA', total: 12, more: false },
    { files: [], next: null, total: '0', more: 1 },
    [
      { tag: '', count: 4 },
      { tag: 'a', count: '2' },
    ],
    ['a', 'b'],
    [{ id: 1, name: 'Families', imports: ['pe'], rules: 2 }],
  ]),
  attack(text) {
    const reply = replyOf(text);
    const found = readOrFailed(() => readFoundSamples(reply, facts), kinds);
    const tags = readOrFailed(() => readTagsInUse(reply, facts), kinds);
    const files = readOrFailed(() => readEditorFiles(reply, facts), kinds);
    const page = readOrFailed(() => readFoundPage(reply, facts, requested), kinds);
    mustBeWithoutSecret([found, tags, files, page]);
    mustBeAPage(page);
    const { error } = samples.safeParse(found ?? []);
    mustHold(error === undefined, `the contract does not take it: ${error?.issues[0]?.path.join('.') ?? ''}`);
    mustHold(
      (found ?? []).every((one) => JSON.stringify(one).length <= 6 * jsonBounds.allTextCharacters),
      'a sample is larger than what is kept of a reply',
    );
    const texts = (tags ?? []).map(({ tag }) => tag);
    mustHold(new Set(texts).size === texts.length, 'a tag is there twice');
    mustHold(
      texts.every((tag) => tag !== '' && tag.length <= 200 && tag.trim() === tag),
      'a tag is none',
    );
    mustHold(
      (tags ?? []).every((one, at) => one.samples >= 0 && one.samples <= (tags?.[at - 1]?.samples ?? Infinity)),
      'the most used one is not first',
    );
    const ids = (files ?? []).map(({ id }) => id);
    mustHold(new Set(ids).size === ids.length && ids.every((id) => id.length <= 200), 'a file has no id of its own');
  },
});

function mustBeAPage(page: FoundPage | undefined): void {
  if (page === undefined) return;
  const { error } = foundPage.safeParse(page);
  mustHold(error === undefined, `the contract does not take the page: ${error?.issues[0]?.path.join('.') ?? ''}`);
  mustHold(page.found.length <= Math.min(requested.limit, page.total), 'a page has more samples than it may');
  mustHold(page.next !== requested.after, 'a page leads to itself');
}

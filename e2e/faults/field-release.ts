import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { askLab } from './ask-lab.ts';
import type { Answering } from './field-options.ts';
import { type LabRecord, labRecord } from './field-record.ts';
import { notEnoughRights } from './field-refusals.ts';
import type { PhpForm } from './php-form.ts';

const pageLength = 40;
/** As sent in the fields of `updatefile`. */
type Changed = Partial<Record<'comment' | 'tags' | 'threat', string>>;
const changedBy: readonly (readonly [field: string, part: keyof Changed])[] = [
  ['comment', 'comment'],
  ['tags', 'tags'],
  ['vendor', 'threat'],
];

/**
 * What the public release 5.1 answers besides the documented actions (docs/services.md, "getfiles", "gettagsdata",
 * "updatefile"): over these samples of the lab, which itself has no such actions. What is changed is kept here.
 */
export class PublicRelease {
  readonly #md5s: readonly string[];
  readonly #changed = new Map<string, Changed>();

  constructor(md5s: readonly string[]) {
    this.#md5s = md5s;
  }

  /** What replaces parts of the record of a sample. */
  changed(md5: string): Changed {
    return this.#changed.get(md5) ?? {};
  }

  /** Forty a page. An empty value and an unknown name filter nothing; all filters must hold. */
  async answerSearch(
    { target }: Pick<Answering, 'target'>,
    response: ServerResponse,
    parameters: URLSearchParams,
  ): Promise<void> {
    const wanted = (name: string): string => parameters.get(name) ?? '';
    const records = await this.#records(target, wanted('token'));
    const found = records.filter(
      (record) =>
        (wanted('sha256') === '' || record.sha256 === wanted('sha256').toLowerCase()) &&
        (wanted('md5') === '' || record.md5 === wanted('md5').toLowerCase()) &&
        isLike(record.filename, wanted('name')) &&
        isLike(record.threat ?? '', wanted('vendor')) &&
        isLike(commentOf(record), wanted('comment')) &&
        (wanted('tags') === '' || matching(record.tags, wanted('tags')) !== ''),
    );
    const from = (Math.max(1, Number(wanted('page')) || 1) - 1) * pageLength;
    const files = found.slice(from, from + pageLength).map((record) => ({
      md5: record.md5,
      filename: record.filename,
      threat: record.threat ?? '',
      size: record.size,
      date: record.date.slice(0, 19).replace('T', ' '),
      uploader: 7,
      sha256: record.sha256,
      favorite: 0,
      locked: record.locked ? 1 : 0,
      // A search for tags shows only those that match.
      tags: matching(record.tags, wanted('tags')),
      virustotal_status: -6,
      user_name: record.user_name,
      criticity: record.criticity,
    }));
    asPage(response, { files });
  }

  async answerTags(
    { target }: Pick<Answering, 'target'>,
    response: ServerResponse,
    parameters: URLSearchParams,
  ): Promise<void> {
    const counts = new Map<string, number>();
    for (const { tags } of await this.#records(target, parameters.get('token') ?? ''))
      for (const tag of tags.split(',')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    asPage(
      response,
      [...counts].map(([tag, count]) => ({ tag, count })).toSorted((one, other) => (one.tag < other.tag ? -1 : 1)),
    );
  }

  /** Replaces what is named; an unknown hash and a missing right are one answer. */
  answerChange(response: ServerResponse, form: PhpForm): void {
    const md5 = form.fields.get('hash');
    if (md5 === undefined) return void response.writeHead(400).end('missing hash parameter');
    if (!this.#md5s.includes(md5)) return notEnoughRights(null, response);
    const change = changedBy.flatMap(([field, part]) => {
      const value = form.fields.get(field);
      return value === undefined ? [] : [[part, value] as const];
    });
    this.#changed.set(md5, { ...this.changed(md5), ...Object.fromEntries(change) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }

  async #records(target: string, token: string): Promise<LabRecord[]> {
    const records: LabRecord[] = [];
    for (const md5 of this.#md5s) {
      const reply = await askLab(target, new URLSearchParams({ action: 'getfile', token, hash: md5 }), 'hash');
      const { file } = z.object({ file: labRecord }).parse(JSON.parse(await text(reply)));
      const { tags = file.tags, threat = file.threat } = this.changed(md5);
      records.push({ ...file, tags, threat });
    }
    return records;
  }
}

const commentOf = ({ comments }: LabRecord): string => comments.find(({ parent }) => parent === null)?.content ?? '';

/** As SQL has it: a part of the text, in any case; `_` is any character, `%` any text. Nothing fits everything. */
function isLike(value: string, part: string): boolean {
  const pattern = [...part].map((letter) =>
    letter === '_' ? '.' : letter === '%' ? '.*' : letter.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&'),
  );
  return new RegExp(pattern.join(''), 'is').test(value);
}

const matching = (tags: string, part: string): string =>
  tags
    .split(',')
    .filter((tag) => part === '' || isLike(tag, part))
    .join(',');

function asPage(response: ServerResponse, json: unknown): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(JSON.stringify(json).replaceAll('/', '\\/'));
}

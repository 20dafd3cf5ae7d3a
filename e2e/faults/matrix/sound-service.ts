import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { z } from 'zod';
import { packed, ruleText } from '../../rule-package.ts';
import { formReader } from '../form-reader.ts';
import type { CellSample } from './cell-sample.ts';
import type { Due } from './reply-faults.ts';

/** What a sound repository and a sound rule editor are asked for. */
export interface Asked {
  action: string;
  parameters: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const sentComment = z.object({ content: z.string() });
const publishedVersion = '1.1';

/**
 * Both services as they should be, with a memory of their own. Every answer is long enough to take a minute at a byte a
 * second.
 */
export class SoundService {
  readonly #samples: ReadonlyMap<string, CellSample>;
  /** MD5s in the order in which they came, one that came twice twice. */
  readonly uploads: string[] = [];
  readonly comments: string[] = [];

  constructor(samples: readonly CellSample[]) {
    this.#samples = new Map(samples.map((sample) => [sample.md5, sample]));
  }

  async answer(asked: Asked): Promise<Due> {
    switch (asked.action) {
      case 'getfile':
        return this.#record(asked.parameters.get('hash') ?? '');
      case 'downloadfile':
        return bytes(this.#samples.get(asked.parameters.get('file') ?? '')?.bytes ?? Buffer.alloc(0));
      case 'bulkdownload':
        return bytes(await this.#archive(asked.parameters.getAll('files[]')));
      case 'uploadfiles':
        return this.#upload(asked);
      case 'addcomment':
        return this.#comment(asked.body);
      case 'checkpackageversion':
        return json(200, {
          outdated: true,
          last_version: publishedVersion,
          id: 'publication-7',
          group: 'Release',
          note: 'new rules for what was seen in the last week',
        });
      case 'downloadpublication':
        return bytes(await packed({ 'seen.yar': ruleText('seen_in_the_matrix') }, { version: publishedVersion }));
      case 'scanfile':
        return json(200, {
          valid: true,
          matches: [{ rule: 'seen_in_the_matrix', strings: [{ id: '$a', offset: 0, length: 4, data: '74686520' }] }],
          has_matches: true,
        });
      default:
        return json(404, { error: { code: 'unknown-action', message: 'There is no such action' } });
    }
  }

  #record(md5: string): Due {
    const sample = this.#samples.get(md5);
    if (sample === undefined && !this.uploads.includes(md5))
      return json(404, { error: { code: 'unknown-file', message: 'There is no such file' } });
    const facts =
      sample === undefined ? { md5 } : { md5, sha1: sample.sha1, sha256: sample.sha256, size: sample.bytes.length };
    const comments = this.comments.map((content, index) => ({
      id: String(index + 1),
      parent: null,
      created: '2026-11-17 08:00:00',
      content,
      author: 'ana',
    }));
    return json(200, { file: { ...facts, filename: 'sample.bin', threat: 'matrix', comments } });
  }

  async #archive(md5s: readonly string[]): Promise<Buffer> {
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, level: 0, dataDescriptor: false });
    for (const md5 of md5s) await zip.add(md5, new Uint8ArrayReader(this.#samples.get(md5)?.bytes ?? Buffer.alloc(0)));
    return Buffer.from(await zip.close());
  }

  async #upload({ headers, body }: Asked): Promise<Due> {
    const parts: Promise<Buffer>[] = [];
    const { sink, fields } = formReader(headers, (_head, stream) => void parts.push(buffer(stream)));
    sink.end(body);
    await fields;
    const files = (await Promise.all(parts)).map((part) => ({
      md5: createHash('md5').update(part).digest('hex'),
      size: part.length,
      message: 'taken',
    }));
    this.uploads.push(...files.map(({ md5 }) => md5));
    return json(200, { files });
  }

  #comment(body: Buffer): Due {
    const { content } = sentComment.parse(JSON.parse(new URLSearchParams(body.toString()).get('comment') ?? ''));
    this.comments.push(content);
    return json(201, {
      id: String(this.comments.length),
      status: 'the comment was taken, and everybody who may read can read it',
    });
  }
}

const bytes = (body: Buffer): Due => ({ status: 200, body, isJson: false });
const json = (status: number, value: unknown): Due => ({
  status,
  body: Buffer.from(JSON.stringify(value)),
  isJson: true,
});

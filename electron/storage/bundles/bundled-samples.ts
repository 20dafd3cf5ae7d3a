import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { bundledRecord, type BundledRecord, type BundledSample } from '../../../shared/domain/bundle.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { sampleNote } from '../../../shared/domain/library.ts';
import { claimedSize } from '../../../shared/domain/sample.ts';
import { tag } from '../../../shared/domain/tag.ts';
import { readJson } from '../database/stored-json.ts';
import { bytesTogether, levelOf } from '../library/sample-table.ts';

// A size that no sample has was claimed before it was bounded: no other Vitrine would read it.
const sampleRow = z.object({
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  sizeBytes: claimedSize.nullable().catch(null),
  tlp: z.number().nullable(),
  inVault: z.number(),
  tags: z.string(),
  note: z.string().nullable(),
  changed: z.string().nullable(),
});
const recordRow = z.object({ readAt: z.string(), body: z.string() });
const bytesRow = z.object({ bytes: z.number() });
const texts = z.array(z.string());

const mostRecords = 20;
const mostTags = 1000;

export interface SampleToBundle {
  sample: BundledSample;
  records: BundledRecord[];
  /** Whether the vault should have its bytes. */
  inVault: boolean;
  /** There are more tags or records of it than a bundle holds. */
  isCut: boolean;
}

/** Vitrine's data on samples, for a bundle. Runs in a separate thread, over a read-only connection. */
export class BundledSamples {
  readonly #bySha256;
  readonly #byMd5;
  readonly #records;
  readonly #bytes;

  constructor(sql: DatabaseSync) {
    const select = `SELECT sample.md5, sample.sha1, sample.sha256, sample.size_bytes AS sizeBytes, sample.tlp,
      sample.in_vault AS inVault, sample_own.note, sample_own.note_changed AS changed,
      (SELECT json_group_array(tag) FROM sample_tag WHERE sample_tag.sha256 = sample.sha256) AS tags FROM sample
        LEFT JOIN sample_own ON sample_own.sha256 = sample.sha256`;
    this.#bySha256 = sql.prepare(`${select} WHERE sample.sha256 = ?`);
    this.#byMd5 = sql.prepare(`${select} WHERE sample.md5 = ? AND sample.sha256 IS NULL`);
    this.#records = sql.prepare(
      `SELECT read_at AS readAt, body FROM record WHERE md5 = ?1 AND (?2 IS NULL OR sha256 IS NULL OR sha256 = ?2)
        ORDER BY read_at DESC LIMIT ${mostRecords + 1}`,
    );
    this.#bytes = sql.prepare(
      `SELECT ${bytesTogether} AS bytes FROM sample WHERE in_vault = 1 AND sha256 IN (SELECT value FROM json_each(?))`,
    );
  }

  /** By what the library knows it by; null when it was forgotten meanwhile. */
  read(hash: string, parts: { notes: boolean; threads: boolean }): SampleToBundle | null {
    const found = (hashKindOf(hash) === 'sha256' ? this.#bySha256 : this.#byMd5).get(hash);
    if (found === undefined) return null;
    const { inVault, tags, tlp, note, changed, ...row } = sampleRow.parse(found);
    const allTags = texts.parse(readJson(tags)).filter((one) => tag.safeParse(one).success);
    const own = {
      tags: allTags.slice(0, mostTags),
      tlp: levelOf(tlp),
      note:
        parts.notes && note !== null
          ? (sampleNote.safeParse({ text: note, changed: changed ?? '' }).data ?? null)
          : null,
    };
    const records = this.#recordsOf(row, parts.threads);
    const isCut = allTags.length > mostTags || records.length > mostRecords;
    return {
      sample: { ...row, ...own },
      records: records.slice(0, mostRecords),
      inVault: inVault === 1 && row.sha256 !== null,
      isCut,
    };
  }

  /** Of those of them that the vault should have. */
  bytesOf(sha256s: readonly string[]): number {
    return bytesRow.parse(this.#bytes.get(JSON.stringify(sha256s))).bytes;
  }

  #recordsOf({ md5, sha256 }: { md5: string; sha256: string | null }, withComments: boolean): BundledRecord[] {
    return this.#records.all(md5, sha256).flatMap((row) => {
      const { readAt, body } = recordRow.parse(row);
      const { data } = bundledRecord.safeParse({ readAt, record: readJson(body) });
      if (data === undefined) return [];
      return [withComments ? data : { readAt, record: { ...data.record, comments: [] } }];
    });
  }
}

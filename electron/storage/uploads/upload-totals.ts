import { z } from 'zod';
import { type RequestLimits, requestsFor, type UploadDraft } from '../../../shared/domain/upload.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import { draftInOrder, draftOrder, hasTrait, uploadTraits } from './upload-rows.ts';

type Trait = keyof typeof uploadTraits;
type Sum = { files: number; bytes: number };

const namesShown = 20;
const filesRow = z.object({ traits: z.string(), sizes: z.string(), newest: z.number() });
const numbers = z.array(z.number());
const nameRow = z.object({ name: z.string() });
const draftRow = z.object({ comment: z.string(), saved: z.string() });

/** A draft as a whole, made of one pass over an index. */
export class UploadTotals {
  readonly #files;
  readonly #names;
  readonly #draft;

  constructor(db: Database) {
    // Two lists and not a hundred thousand rows: SQLite and JavaScript are quick, and going from one to the other is
    // not.
    this.#files = db.query(
      filesRow,
      `SELECT json_group_array(traits) AS traits, json_group_array(size_bytes) AS sizes, ifnull(max(id), 0) AS newest
        FROM (SELECT id, traits, size_bytes ${draftInOrder} ${draftOrder})`,
    );
    const names = (flag: Trait) =>
      db.query(nameRow, `SELECT name ${draftInOrder} AND ${hasTrait(flag)} ${draftOrder} LIMIT ${namesShown}`);
    this.#names = { virusTotal: names('virusTotal'), sandbox: names('sandbox') };
    this.#draft = db.query(draftRow, 'SELECT comment, saved FROM upload_draft WHERE workspace_id = ?');
  }

  of(workspaceId: string, limits: RequestLimits): UploadDraft {
    const stored = this.#files.get(workspaceId);
    const sizes = numbersIn(stored?.sizes);
    const totals = new Totals(numbersIn(stored?.traits), sizes);
    const [toSend, there] = [totals.of('sendable'), totals.of('there')];
    const { comment = '', saved = null } = this.#draft.get(workspaceId) ?? {};
    return {
      files: sizes.length,
      bytes: totals.bytes,
      comment,
      saved: sizes.length === 0 && comment === '' ? null : saved,
      toSend,
      there,
      leftOut: { files: sizes.length - toSend.files - there.files, bytes: totals.bytes - toSend.bytes - there.bytes },
      busy: totals.of('busy').files,
      ticked: totals.of('ticked').files,
      // What is ticked is there, to be sent, or not known yet; or it is no sample that could be.
      tickedSamples: totals.tickedOf('sendable', 'there', 'busy'),
      unasked: totals.of('unasked').files,
      unanswered: totals.of('unanswered').files,
      held: totals.of('held').files,
      newest: stored?.newest ?? 0,
      requests: requestsFor(totals.sendableSizes, limits),
      virusTotal: this.#receiving(workspaceId, 'virusTotal', totals),
      sandbox: this.#receiving(workspaceId, 'sandbox', totals),
      closed: totals.of('closed').files,
    };
  }

  #receiving(workspaceId: string, flag: 'virusTotal' | 'sandbox', totals: Totals): UploadDraft['sandbox'] {
    const { files } = totals.of(flag);
    return { files, names: files === 0 ? [] : this.#names[flag].all(workspaceId).map(({ name }) => name) };
  }
}

/** Files and bytes by the traits they have: few combinations of them occur. */
class Totals {
  readonly #sums = new Map<number, Sum>();
  /** In the order of the draft. */
  readonly sendableSizes: number[] = [];
  bytes = 0;

  constructor(traits: readonly number[], sizes: readonly number[]) {
    for (const [index, sizeBytes] of sizes.entries()) {
      const of = traits[index] ?? 0;
      const sum = this.#sums.get(of) ?? { files: 0, bytes: 0 };
      this.#sums.set(of, sum);
      sum.files += 1;
      sum.bytes += sizeBytes;
      this.bytes += sizeBytes;
      if (of & uploadTraits.sendable) this.sendableSizes.push(sizeBytes);
    }
  }

  /** How many of those that are ticked have at least one of these. */
  tickedOf(...traits: Trait[]): number {
    const any = traits.reduce((sum, trait) => sum | uploadTraits[trait], 0);
    return [...this.#sums].reduce(
      (files, [of, sum]) => (of & uploadTraits.ticked && of & any ? files + sum.files : files),
      0,
    );
  }

  of(trait: Trait): Sum {
    const total = { files: 0, bytes: 0 };
    for (const [traits, { files, bytes }] of this.#sums) {
      if (!(traits & uploadTraits[trait])) continue;
      total.files += files;
      total.bytes += bytes;
    }
    return total;
  }
}

const numbersIn = (list = '[]'): number[] => numbers.parse(readJson(list));

import { z } from 'zod';
import type { UploadDraft } from '../../shared/domain/upload.ts';
import type { Database } from './database.ts';
import { draftInOrder, draftOrder, isClosedRow, isSendableRow } from './upload-conditions.ts';
import { readJson } from './stored-json.ts';

/** What one request of an upload may hold. A larger file goes alone. */
export interface RequestLimits {
  files: number;
  /** Of the files alone. */
  bytes: number;
}

const namesShown = 20;
const count = z.number();
const totalsRow = z.object({
  files: count, bytes: count, sendFiles: count, sendBytes: count, thereFiles: count, thereBytes: count, busy: count, ticked: count,
  unasked: count, unanswered: count, virusTotal: count, sandbox: count, closed: count, sizes: z.string(),
});
const nameRow = z.object({ name: z.string() });
const draftRow = z.object({ comment: z.string(), saved: z.string() });

const isThere = "state = 'ready' AND presence = 'there'";
// One that was not looked at yet may be an archive; what an archive held is never opened.
const isBusy = `is_ticked = 1 AND (state = 'hashing' OR (state = 'ready' AND (archive_state = 'opening' OR (looked = 0 AND parent_id IS NULL))))`;
const of = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;
const bytesOf = (condition: string): string => `ifnull(sum(size_bytes) FILTER (WHERE ${condition}), 0)`;

/** A draft as a whole, made of one pass over an index. */
export class UploadTotals {
  readonly #totals;
  readonly #names;
  readonly #draft;

  constructor(db: Database) {
    // The sizes come in the order of the index.
    this.#totals = db.query(
      totalsRow,
      `SELECT count(*) AS files, ifnull(sum(size_bytes), 0) AS bytes, ${of(isSendableRow)} AS sendFiles, ${bytesOf(isSendableRow)} AS sendBytes,
      ${of(isThere)} AS thereFiles, ${bytesOf(isThere)} AS thereBytes, ${of(isBusy)} AS busy, ${of('is_ticked = 1')} AS ticked,
      ${of("state = 'ready' AND presence = 'unasked'")} AS unasked, ${of("state = 'ready' AND presence = 'unanswered'")} AS unanswered,
      ${of(`virus_total = 1 AND ${isSendableRow}`)} AS virusTotal, ${of(`sandbox = 1 AND ${isSendableRow}`)} AS sandbox,
      ${of(`${isClosedRow} AND ${isSendableRow}`)} AS closed, json_group_array(size_bytes) FILTER (WHERE ${isSendableRow}) AS sizes
      FROM (SELECT * ${draftInOrder} ${draftOrder})`,
    );
    const names = (flag: string) => db.query(nameRow, `SELECT name ${draftInOrder} AND ${flag} = 1 AND ${isSendableRow} ${draftOrder} LIMIT ${namesShown}`);
    this.#names = { virusTotal: names('virus_total'), sandbox: names('sandbox') };
    this.#draft = db.query(draftRow, 'SELECT comment, saved FROM upload_draft WHERE workspace_id = ?');
  }

  of(workspaceId: string, limits: RequestLimits): UploadDraft {
    const totals = this.#totals.get(workspaceId) ?? nothing;
    const { files, bytes, sendFiles, sendBytes, thereFiles, thereBytes, busy, ticked, unasked, unanswered, closed } = totals;
    const { comment = '', saved = null } = this.#draft.get(workspaceId) ?? {};
    return {
      files, bytes, comment,
      saved: files === 0 && comment === '' ? null : saved,
      toSend: { files: sendFiles, bytes: sendBytes },
      there: { files: thereFiles, bytes: thereBytes },
      leftOut: { files: files - sendFiles - thereFiles, bytes: bytes - sendBytes - thereBytes },
      busy, ticked, unasked, unanswered, closed,
      requests: requestsFor(sizes.parse(readJson(totals.sizes)), limits),
      virusTotal: this.#receiving(workspaceId, 'virusTotal', totals.virusTotal),
      sandbox: this.#receiving(workspaceId, 'sandbox', totals.sandbox),
    };
  }

  #receiving(workspaceId: string, flag: 'virusTotal' | 'sandbox', files: number): UploadDraft['sandbox'] {
    return { files, names: files === 0 ? [] : this.#names[flag].all(workspaceId).map(({ name }) => name) };
  }
}

const sizes = z.array(z.number());
const nothing: z.infer<typeof totalsRow> = {
  files: 0, bytes: 0, sendFiles: 0, sendBytes: 0, thereFiles: 0, thereBytes: 0, busy: 0, ticked: 0, unasked: 0, unanswered: 0,
  virusTotal: 0, sandbox: 0, closed: 0, sizes: '[]',
};

/** How many requests take files of these sizes, in their order: as many together as may be, a larger one alone. */
export function requestsFor(sizesInOrder: readonly number[], limits: RequestLimits): number {
  let [requests, files, bytes] = [0, 0, 0];
  for (const size of sizesInOrder) {
    if (requests === 0 || files >= limits.files || bytes + size > limits.bytes) {
      requests += 1;
      files = bytes = 0;
    }
    files += 1;
    bytes += size;
  }
  return requests;
}

import { hashLengths } from '../../../shared/domain/hash.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { BulkVerdict } from '../../../shared/operations/samples.ts';
import type { Bridge } from '../../../shared/transport.ts';

/** What would become of the hashes of a list; the counts add up to `asked`. */
export interface BulkTally {
  /** How many the host was asked about so far. */
  asked: number;
  md5: number;
  /** SHA-1 and SHA-256 whose MD5 the library knows. */
  resolved: number;
  needsMd5: number;
  alreadyHere: number;
  /** One for each hash, in pages of `hashPage`. */
  verdicts: readonly (readonly BulkVerdict[])[];
}

export const noTally: BulkTally = { asked: 0, md5: 0, resolved: 0, needsMd5: 0, alreadyHere: 0, verdicts: [] };
export const toFetch = ({ md5, resolved }: BulkTally): number => md5 + resolved;

/** As many as are asked about in one call: larger answers hold up what is drawn while they are read. */
const hashPage = 1000;
/** As many as are added in one call, each of which is written to the disk once. */
const addedPage = 5000;

/** undefined where the host was not asked yet. */
export const verdictAt = ({ verdicts }: BulkTally, index: number): BulkVerdict | undefined =>
  verdicts[Math.floor(index / hashPage)]?.[index % hashPage];

/** Gives a page of a list, and an empty one behind its end. */
export type ReadHashes = (from: number, count: number) => Promise<string[]>;

function withVerdicts(tally: BulkTally, hashes: readonly string[], verdicts: readonly BulkVerdict[]): BulkTally {
  const next = { ...tally, asked: tally.asked + hashes.length, verdicts: [...tally.verdicts, verdicts] };
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict === 'already-here') next.alreadyHere += 1;
    else if (verdict === 'needs-md5') next.needsMd5 += 1;
    else if (hashes[index]?.length === hashLengths.md5) next.md5 += 1;
    else next.resolved += 1;
  }
  return next;
}

export interface Paging {
  workspaceId: string;
  hashes: ReadHashes;
  /** Checked between pages: true when the rest is no longer wanted. */
  isOver(): boolean;
  /** The records of samples that come without theirs are fetched afterwards. */
  records?: boolean;
}

/**
 * Requests page by page the expected outcome of each hash, and reports the counts as they grow. Sends nothing to a
 * service.
 */
export async function tallyHashes(
  bridge: Bridge<File>,
  { hashes, isOver }: Omit<Paging, 'workspaceId'>,
  report: (tally: BulkTally) => void,
): Promise<Result<BulkTally>> {
  let tally = noTally;
  for (;;) {
    const page = await hashes(tally.asked, hashPage);
    if (isOver()) return failed({ kind: 'cancelled' });
    if (page.length === 0) return success(tally);
    const answer = await bridge.call('bulk.check', { hashes: page });
    if (isOver()) return failed({ kind: 'cancelled' });
    if (!answer.ok) return answer;
    tally = withVerdicts(tally, page, answer.value.verdicts);
    report(tally);
  }
}

/** Makes a job of all the hashes. Until it is started it is a draft, which the host drops by itself. */
export async function beginBulk(
  bridge: Bridge<File>,
  { workspaceId, hashes, isOver, records = true }: Paging,
  report: (added: number) => void,
): Promise<Result<Job>> {
  const created = await bridge.call('bulk.create', { workspaceId, records });
  if (!created.ok) return created;
  const { id } = created.value;
  for (let added = 0; ;) {
    const page = await hashes(added, addedPage);
    if (isOver()) return failed({ kind: 'cancelled' });
    if (page.length === 0) return bridge.call('bulk.start', { id });
    const answer = await bridge.call('bulk.add', { id, hashes: page });
    if (!answer.ok) return answer;
    added += page.length;
    report(added);
  }
}

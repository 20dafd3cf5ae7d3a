import type { ItemState } from '../../../shared/domain/job.ts';
import type { Failure, ServiceName } from '../../../shared/failure.ts';
import type { StoredUploadFile } from '../../storage/uploads/upload-store.ts';
import type { PresenceAnswer } from './presence.ts';
import type { SaidOfFile } from './reply-matching.ts';

/** One file on its way out, as the item of a job. */
export interface Sending {
  position: number;
  md5: string;
  sizeBytes: number;
  file: StoredUploadFile;
}

/** What became of a file. `done`: stored, and by this desk. */
export interface Verdict {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
}

/** Where a request went, for failures. */
export interface Place {
  service: ServiceName;
  address: string;
}

const stored: Verdict = { state: 'done', failure: null };
const thereBefore: Verdict = { state: 'already-here', failure: null };
export const failedWith = (failure: Failure): Verdict => ({
  state: failure.kind === 'forbidden' ? 'forbidden' : 'failed',
  failure,
});

export const mayHaveArrived = (place: Place): Verdict => ({
  state: 'failed',
  failure: { kind: 'may-have-arrived', ...place, action: 'uploadfiles' },
});

/** Before it is sent. null: it is to be sent. A file that may have left before is never sent again by itself. */
export function verdictOfPresence({ file }: Sending, { presence }: PresenceAnswer, place: Place): Verdict | null {
  if (presence === 'there') return file.maySent ? stored : thereBefore;
  return file.maySent ? mayHaveArrived(place) : null;
}

/**
 * After a request that was answered with a list. `sent` is how many files it carried, `items` how many the list has;
 * what answers before all has left (`hasLeft`) knows nothing.
 */
export function verdictOfReply(
  { file }: Sending,
  said: SaidOfFile,
  { presence }: PresenceAnswer,
  { hasLeft, ...reply }: Place & { sent: number; items: number; hasLeft: boolean },
): Verdict {
  const { service, address } = reply;
  if (presence === 'there') return said.kind === 'refused' ? thereBefore : stored;
  if (said.kind === 'refused')
    return { state: 'refused', failure: { kind: 'upload-refused', service, address, text: said.words } };
  if (presence === 'unanswered' && (said.kind === 'doubtful' || (said.kind === 'accepted' && !hasLeft)))
    return mayHaveArrived({ service, address });
  if (said.kind === 'accepted' && presence === 'unanswered')
    return { state: 'done', failure: { kind: 'upload-unconfirmed', service, address } };
  return { state: 'vanished', failure: { kind: 'upload-vanished', ...reply, isArchive: file.archive !== null } };
}

/** After a request without such an answer: only the record tells. null: it is not there. */
export const verdictOfRecord = ({ presence }: PresenceAnswer): Verdict | null => (presence === 'there' ? stored : null);

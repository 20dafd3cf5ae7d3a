import type { Presence } from '../../../shared/domain/upload.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';

/** Whether the repository has a file. Where that is not known, `failure` says why. */
export type PresenceAnswer =
  { presence: Extract<Presence, 'new' | 'there'>; failure: null } | { presence: 'unanswered'; failure: Failure };

export interface Asking {
  api: Pick<RepositoryApi, 'getFile'>;
  library: Pick<LibraryStore, 'noteRecord' | 'commentsInSteps'>;
  workspaceId: string;
  signal: AbortSignal;
}

/**
 * Asks for the record of an MD5 (docs/services.md, "getfile"); one that is there goes to the library. Throws defects,
 * and the signal's reason.
 */
export async function askPresence({ api, library, workspaceId, signal }: Asking, md5: string): Promise<PresenceAnswer> {
  try {
    const record = await api.getFile(md5, { signal });
    library.noteRecord({ workspaceId, md5, record });
    await listComments(library, { workspaceId, md5, record });
    return { presence: 'there', failure: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FailureError)) throw error;
    return error.failure.kind === 'unknown-hash'
      ? { presence: 'new', failure: null }
      : { presence: 'unanswered', failure: error.failure };
  }
}

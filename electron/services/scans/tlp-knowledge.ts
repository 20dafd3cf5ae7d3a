import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import { listComments } from '../../storage/listing-comments.ts';

export interface TlpKnowledgeOptions {
  library: Pick<LibraryStore, 'tlpOf' | 'recorded' | 'noteRecord' | 'commentsInSteps'>;
  workspaceId: string;
  /** null: the workspace has no repository that could know. */
  repository: Pick<RepositoryApi, 'getFile'> | null;
}

/**
 * The TLP of a file that is to leave the desk, as the library has it: what the person said of these bytes among the
 * rest. What the repository says is asked for, where that is not known yet: a sample that came without its record may
 * be one that nobody else may have.
 * @throws FailureError why the repository did not say; that it does not know the file is an answer
 */
export async function tlpBeforeSending(
  { library, workspaceId, repository }: TlpKnowledgeOptions,
  file: { md5: string | null; sha256: string },
  signal: AbortSignal,
): Promise<TlpLevel | null> {
  const { md5 } = file;
  if (repository !== null && md5 !== null && library.recorded(workspaceId, md5) === null) {
    const record = await orUnknown(repository.getFile(md5, { signal }));
    if (record !== null) {
      library.noteRecord({ workspaceId, md5, record });
      await listComments(library, { workspaceId, md5, record });
    }
  }
  return library.tlpOf(file);
}

async function orUnknown<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const isUnknown =
      error instanceof FailureError &&
      (error.failure.kind === 'unknown-hash' || error.failure.kind === 'forbidden-or-unknown');
    if (!isUnknown) throw error;
    return null;
  }
}

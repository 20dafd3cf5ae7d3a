import type { StagedFile } from '../../shared/domain/upload.ts';
import { failed, type Result } from '../../shared/failure.ts';
import type { Door } from './door.ts';

/** Hands a file over. Fails as the door does; of what cannot be found, by the name that was typed. */
export async function stagedFile(
  door: Pick<Door, 'stageFile'>,
  { path, shown }: { path: string; shown: string },
): Promise<Result<StagedFile>> {
  const result = await door.stageFile(path);
  if (result.ok || result.failure.kind !== 'staged-file-missing') return result;
  return failed({ kind: 'file-gone', name: shown });
}

import { strictestTlp } from '../../../shared/domain/tag.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { StoredUploadFile } from '../../storage/upload-store.ts';

/**
 * A file that was not sent, because the repository has it, took nothing there: what was said of it stays on this desk.
 * A TLP that is stricter already stays.
 */
export function keepLabels(
  library: Pick<LibraryStore, 'sample' | 'changeSamples'>,
  { sha256, tags, tlp }: Pick<StoredUploadFile, 'sha256' | 'tags' | 'tlp'>,
): void {
  if (sha256 === null || (tags.length === 0 && tlp === null)) return;
  const own = library.sample(sha256)?.tlps.find(({ source }) => source === 'own')?.level ?? null;
  const strictest = strictestTlp([own, tlp]);
  library.changeSamples([sha256], { add: tags, remove: [], ...(strictest !== null && { tlp: strictest }) });
}

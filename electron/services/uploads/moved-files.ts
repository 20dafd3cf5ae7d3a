import { FailureError } from '../../../shared/failure.ts';
import type { UploadPlaces } from '../../storage/upload-places.ts';
import type { Staging } from '../../vault/staging.ts';
import type { HeldFile } from './uploads.ts';

interface Tools {
  places: UploadPlaces;
  staging: Staging;
}

/** Gives the first file that came by itself, has these bytes, and lies no more where it lay, the place where they were found. @returns whether there was one */
export async function placeMoved({ places, staging }: Tools, workspaceId: string, { stagedId, path, hashes: { md5, sha256 } }: HeldFile): Promise<boolean> {
  for (const file of places.with({ workspaceId, md5, sha256 })) {
    if (!(await isGone(staging, file.stagedId))) continue;
    const { name } = staging.fileOf(stagedId);
    if (!places.move(file, { stagedId, place: staging.placeOf(stagedId), name, path })) continue;
    await staging.discard(file.stagedId);
    return true;
  }
  return false;
}

/** What cannot be looked at may be there. */
async function isGone(staging: Staging, stagedId: string): Promise<boolean> {
  try {
    return (await staging.check(stagedId)) === 'gone';
  } catch (error) {
    if (error instanceof FailureError) return false;
    throw error;
  }
}

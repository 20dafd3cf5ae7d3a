import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FailureError } from '../../../shared/failure.ts';
import type { PlacedFile, SeenFile } from '../../storage/uploads/upload-places.ts';
import type { Bytes } from '../../storage/uploads/upload-relations.ts';
import type { UploadStore } from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';

interface Tools {
  store: UploadStore;
  staging: Staging;
}

/**
 * Puts a file that came by itself where the watched folder has its bytes now: under whatever name, as it was when they
 * were read.
 * @returns its staged id there; null: nowhere, or a person handed it over
 */
export async function placeAgain(
  { store: { places }, staging }: Tools,
  file: Pick<PlacedFile, 'id' | 'stagedId'>,
): Promise<string | null> {
  for (const seen of places.seen(file.id)) {
    const stagedId = await stagedAsSeen(staging, seen);
    if (stagedId === null) continue;
    const isMoved = places.move(file, {
      stagedId,
      place: staging.placeOf(stagedId),
      name: posix.basename(seen.path),
      path: folderOf(seen.path),
    });
    await staging.discard(isMoved ? file.stagedId : stagedId);
    return isMoved ? stagedId : null;
  }
  return null;
}

/** Files of a draft with these bytes that lie no more where they lay. @returns whether there were any */
export async function placeMoved(tools: Tools, bytes: Bytes): Promise<boolean> {
  let areAny = false;
  for (const file of tools.store.places.with(bytes)) {
    if (!(await mayBeThere(tools.staging, file.stagedId)) && (await placeAgain(tools, file)) !== null) areAny = true;
  }
  return areAny;
}

/**
 * Those that could not be read when they were looked at, and can be now, are to be looked at again. @returns the
 * workspaces of their drafts
 */
export async function placeLost(tools: Tools): Promise<Set<string>> {
  const workspaces = new Set<string>();
  for (const files of tools.store.places.lost()) {
    for (const file of files) {
      if ((await placeAgain(tools, file)) === null) continue;
      tools.store.foundAgain(file.id);
      workspaces.add(file.workspaceId);
    }
    await nextTurn();
  }
  return workspaces;
}

/** null: it is not there, or not as it was. */
async function stagedAsSeen(
  staging: Staging,
  { folder, path, sizeBytes, changedMs }: SeenFile,
): Promise<string | null> {
  try {
    const { id } = await staging.stagePath(join(folder, path));
    const place = staging.placeOf(id);
    if (place.kind === 'in-place' && place.sizeBytes === sizeBytes && place.changedMs === changedMs) return id;
    await staging.discard(id);
    return null;
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

/** What cannot be looked at may be there. */
async function mayBeThere(staging: Staging, stagedId: string): Promise<boolean> {
  try {
    return (await staging.check(stagedId)) === 'there';
  } catch (error) {
    if (error instanceof FailureError) return true;
    throw error;
  }
}

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');

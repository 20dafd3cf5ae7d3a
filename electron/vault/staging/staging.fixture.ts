import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { openStaging, type Staging } from '../staging.ts';

export interface OpenedStaging {
  staging: Staging;
  /** The staging's own. */
  folder: string;
  /** The person's. */
  elsewhere: string;
}

export async function openedStaging(): Promise<OpenedStaging> {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const staging = await openStaging(folder);
  onTestFinished(() => staging.close());
  return { staging, folder, elsewhere };
}

export async function* streamOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

/** The bytes as a file of the person's and as a container. @returns the ids */
export async function stagedBothWays(
  { staging, elsewhere }: OpenedStaging,
  name: string,
  bytes: Uint8Array,
): Promise<{ inPlace: string; container: string; path: string }> {
  const path = join(elsewhere, name);
  await writeFile(path, bytes);
  const [inPlace, container] = await Promise.all([staging.stagePath(path), staging.stageStream(name, streamOf(bytes))]);
  return { inPlace: inPlace.id, container: container.id, path };
}

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { openPackages, type Packages } from './packages.ts';

/** Closed when the test is over. Opening the same folder again is a new start of the program. */
export async function openedPackages(folder: string): Promise<Packages> {
  const packages = await openPackages(folder);
  onTestFinished(() => packages.close());
  return packages;
}

/** `folder` is theirs alone. */
export async function newPackages(): Promise<{ packages: Packages; folder: string }> {
  const folder = join(temporaryFolder(), 'packages');
  return { packages: await openedPackages(folder), folder };
}

export const pathIn = (folder: string, sha256: string, workspaceId = 'lab'): string =>
  join(folder, workspaceId, sha256);

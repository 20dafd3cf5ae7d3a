import { resolve } from 'node:path';
import { FailureError } from '../shared/failure.ts';
import { programFacts } from './build-diagnostics.ts';
import type { MadeDiagnostics } from './cli/offline.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { collectDiagnostics } from './services/diagnostics/collecting.ts';
import { requireOwnFolder } from './base/owned-file.ts';
import { placeToOpen } from './storage/directory/data-location.ts';

/**
 * `data`: the data directory that was named; null: that of this person. Reads it without opening it. Fails with
 * `not-own`, and with nothing else.
 */
export async function collectFrom(data: string | null): Promise<MadeDiagnostics> {
  const usual = defaultDataDirectory(process.platform, process.env);
  const { directory, failure } = placeOr({ named: data === null ? null : resolve(data), usual });
  requireOwnFolder(directory);
  return collectDiagnostics({
    isOpen: false,
    secrets: [],
    recent: [],
    program: { ...programFacts, host: null, dataDirectory: directory, running: { dataLocation: failure ?? 'known' } },
  });
}

/** Where the data was moved to may not be readable, or be gone: what is in the usual place is read then. */
function placeOr(choice: { named: string | null; usual: string }): { directory: string; failure: string | null } {
  try {
    return { directory: placeToOpen(choice), failure: null };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { directory: choice.usual, failure: error.failure.kind };
  }
}

import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import type { Configuration } from 'electron-builder';

/** Checks the configuration against electron-builder's own schema, offline. Null when it holds, else what is wrong. */
export async function packagingProblem(configuration: Configuration): Promise<string | null> {
  try {
    await validateConfiguration(configuration, new DebugLogger(false));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

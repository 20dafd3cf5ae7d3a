import { FailureError } from '../../shared/failure.ts';
import { type LabStores, openLabStores } from './lab.ts';

/** A lab that runs, where it must not. The message is for a person. */
export class LabIsRunning extends Error {
  override readonly name = 'LabIsRunning';
}

/**
 * `otherwise`: how what the command does is done while it runs, as the end of a sentence. @throws LabIsRunning; else
 * fails as `openLabStores` does
 */
export async function openStoppedLab(dataDirectory: string, otherwise: string): Promise<LabStores> {
  try {
    return await openLabStores(dataDirectory);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'data-in-use') throw error;
    throw new LabIsRunning(
      `The lab with the data in ${dataDirectory} is running, by itself or with Vitrine. ` +
        `Stop it first, or ${otherwise}.`,
      { cause: error },
    );
  }
}

import type { BundleFacts, BundleOpening } from '../../shared/domain/bundle.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { newsOf } from './news.ts';

export interface OpenedBundle {
  id: string;
  facts: BundleFacts;
}

/**
 * Reads a bundle from end to end, before anything is changed. @throws FailureError why it is refused; `cancelled` where
 * somebody closed it
 */
export async function openedBundle(run: CommandRun, stagedId: string, passphrase: string): Promise<OpenedBundle> {
  const door = await run.door();
  const news = await newsOf(door, 'bundles.changed', () => true);
  let id: string | null = null;
  try {
    const begun = await run.ask('bundles.open', { stagedId, passphrase });
    id = begun.id;
    for (let opening: BundleOpening | null = begun; ;) {
      if (opening === null || opening.id !== begun.id) fail({ kind: 'cancelled' });
      if (opening.state !== 'reading') return readyOf(opening);
      run.terminal.progress(progressOf(opening));
      await news.next(run.signal);
      ({ opening } = await run.ask('bundles.opening', {}));
    }
  } catch (error) {
    if (id !== null) await door.call('bundles.close', { id });
    throw error;
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}

function readyOf({ id, facts, failure }: BundleOpening): OpenedBundle {
  if (failure) throw new FailureError(failure);
  return { id, facts: facts ?? fail({ kind: 'bundle-not-ready' }) };
}

const progressOf = ({ readBytes, sizeBytes }: BundleOpening): string =>
  `Reading: ${sizeBytes === 0 ? 0 : Math.min(99, Math.floor((100 * readBytes) / sizeBytes))} %`;

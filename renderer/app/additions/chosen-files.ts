import { mostAddedACall } from '../../../shared/domain/addition.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { Result } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import type { TakenFile } from '../uploads/intake.ts';
import type { IntakeDesk } from '../uploads/use-intake-desk.tsx';

/** What the dialog is about. */
export interface ChosenFiles {
  files: readonly TakenFile[];
  intake: IntakeDesk;
  clear(): void;
}

export interface AddOrder {
  opensArchives: boolean;
  passwords: readonly string[];
}

/** Begins a job of all these files, or leaves none. */
export async function beginAdding(
  bridge: Bridge<File>,
  files: readonly TakenFile[],
  order: AddOrder,
): Promise<Result<Job>> {
  const draft = await bridge.call('library.draftAdd', { opensArchives: order.opensArchives });
  if (!draft.ok) return draft;
  const { job } = draft.value;
  for (let at = 0; at < files.length; at += mostAddedACall) {
    const some = files.slice(at, at + mostAddedACall).map(({ id, path }) => ({ id, path }));
    const added = await bridge.call('library.addFiles', { job, files: some });
    if (added.ok) continue;
    // Why it could not be made is what the person is to hear; a draft that stays is removed by the next start.
    await bridge.call('jobs.forget', { id: job });
    return added;
  }
  return bridge.call('library.beginAdd', { job, passwords: [...order.passwords] });
}

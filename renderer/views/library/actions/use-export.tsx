import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { exportDialog } from '../../../features/export/selection-dialog.tsx';
import { useDialogWhenReady } from '../../../state/app-dialogs.tsx';
import { text } from '../text.ts';
import { type MeantSamples, mostNamed } from './meant-samples.ts';
import type { Reading } from './use-reading.ts';

/**
 * What is meant and in the vault leaves the desk; a query's samples are chosen by the host. Who has gone on while they
 * were read is told, and asked when it is wanted.
 */
export function useExport({ read }: Pick<Reading, 'read'>): (meant: MeantSamples) => void {
  const toast = useToast();
  const beginAsking = useDialogWhenReady();
  const begin = async (meant: MeantSamples): Promise<void> => {
    const [selection, ...others] = meant.selections;
    if (selection === undefined) return;
    const ask = beginAsking();
    if (selection.kind === 'query') return ask(exportDialog(selection, meant.count));
    if (others.length > 0) return toast({ meaning: 'info', text: text.exportTooMany(mostNamed) });
    const facts = await read(meant, mostNamed, ({ inVault }) => inVault);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok)
      return toast({ meaning: 'bad', text: text.notDone(failureWords(facts.failure).what), failure: facts.failure });
    const sha256s = facts.value.flatMap(({ sha256 }) => sha256 ?? []);
    if (sha256s.length === 0) return toast({ meaning: 'info', text: text.exportNone });
    ask(exportDialog({ kind: 'samples', sha256s }, sha256s.length));
  };
  return (meant) => void begin(meant);
}

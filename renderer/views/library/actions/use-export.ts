import { useLibraryPlaces } from '../../../app/library/library-place.tsx';
import { usePlace } from '../../../app/scans/use-place.ts';
import { isTyping } from '../../../app/single-letters.ts';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import type { ExportSelection } from '../../../../shared/domain/export.ts';
import { text } from '../text.ts';
import { type MeantSamples, mostNamed } from './meant-samples.ts';
import { useLeftQuestion } from './use-left-question.ts';
import type { Reading } from './use-reading.ts';

/** What is meant and in the vault leaves the desk; a query's samples are chosen by the host. Who has gone on while they were read is told, and asked when it is wanted. */
export function useExport({ read }: Pick<Reading, 'read'>): (meant: MeantSamples) => void {
  const toast = useToast();
  const places = useLibraryPlaces();
  const place = usePlace();
  const askLater = useLeftQuestion();
  const ask = (selection: ExportSelection, count: number, isStillThere: boolean): void => {
    const question = { id: crypto.randomUUID(), kind: 'export', selection, count } as const;
    if (isStillThere) places.ask(question);
    else toast({ meaning: 'info', text: text.exportRead(count), action: { text: text.exportNow, act: () => askLater(question) } });
  };
  const begin = async (meant: MeantSamples): Promise<void> => {
    const [selection, ...others] = meant.selections;
    if (selection === undefined) return;
    if (selection.kind === 'query') return ask(selection, meant.count, true);
    if (others.length > 0) return toast({ meaning: 'info', text: text.exportTooMany(mostNamed) });
    const begunAt = place();
    const facts = await read(meant, mostNamed, ({ inVault }) => inVault);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok) return toast({ meaning: 'bad', text: text.notDone(failureWords(facts.failure).what), failure: facts.failure });
    const sha256s = facts.value.flatMap(({ sha256 }) => sha256 ?? []);
    if (sha256s.length === 0) return toast({ meaning: 'info', text: text.exportNone });
    ask({ kind: 'samples', sha256s }, sha256s.length, place() === begunAt && !isTyping({ target: document.activeElement }));
  };
  return (meant) => void begin(meant);
}

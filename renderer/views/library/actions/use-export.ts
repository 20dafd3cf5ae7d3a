import { useState } from 'react';
import type { ExportSelection } from '../../../../shared/domain/export.ts';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { text } from '../text.ts';
import { type MeantSamples, mostNamed } from './meant-samples.ts';
import type { Reading } from './use-reading.ts';

export interface AskedExport {
  selection: ExportSelection;
  count: number;
}

export interface ExportAct {
  /** What the dialog asks about; null: none is open. */
  asked: AskedExport | null;
  ask(meant: MeantSamples): void;
  close(): void;
}

/** What is meant and in the vault leaves the desk; a query's samples are chosen by the host. */
export function useExport({ read }: Pick<Reading, 'read'>): ExportAct {
  const toast = useToast();
  const [asked, setAsked] = useState<AskedExport | null>(null);
  const ask = async (meant: MeantSamples): Promise<void> => {
    const [selection, ...others] = meant.selections;
    if (selection === undefined) return;
    if (selection.kind === 'query') return setAsked({ selection, count: meant.count });
    if (others.length > 0) return toast({ meaning: 'info', text: text.exportTooMany(mostNamed) });
    const facts = await read(meant, mostNamed, ({ inVault }) => inVault);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok) return toast({ meaning: 'bad', text: text.notDone(failureWords(facts.failure).what), failure: facts.failure });
    const sha256s = facts.value.flatMap(({ sha256 }) => sha256 ?? []);
    if (sha256s.length === 0) return toast({ meaning: 'info', text: text.exportNone });
    setAsked({ selection: { kind: 'samples', sha256s }, count: sha256s.length });
  };
  return { asked, ask: (meant) => void ask(meant), close: () => setAsked(null) };
}

import { createContext, type ReactNode, useContext } from 'react';
import type { SavedDiagnostics } from '../../../shared/domain/diagnostics.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';

export interface DiagnosticsSaving {
  isPending: boolean;
  /** What came of it last; null: nothing was saved yet, or no folder was picked. */
  output: SavedDiagnostics | null;
  failure: Failure | null;
  /** Does nothing while a file is being saved. */
  save(): void;
  /** Shows nothing of the last one any more. */
  forget(): void;
}

const SavingContext = createContext<DiagnosticsSaving | null>(null);

/**
 * Saves the file for a bug report, for the view, the palette and the menu alike: what comes of it is shown under
 * Settings, whichever it was.
 */
export function DiagnosticsProvider({ children }: { children: ReactNode }) {
  const { mutate, reset, data = null, error, isPending } = useAction('diagnostics.save');
  const save = (): void => {
    if (!isPending) mutate({});
  };
  return (
    <SavingContext
      value={{ isPending, output: data?.saved === null ? null : data, failure: error, save, forget: reset }}
    >
      {children}
    </SavingContext>
  );
}

export function useDiagnostics(): DiagnosticsSaving {
  const saving = useContext(SavingContext);
  if (saving === null) throw new TypeError('useDiagnostics outside of DiagnosticsProvider');
  return saving;
}

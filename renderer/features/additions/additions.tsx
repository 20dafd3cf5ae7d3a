import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { mostAddedFiles } from '../../../shared/domain/addition.ts';
import { lazyDialog } from '../../state/lazy-dialog.tsx';
import type { DroppedEntry } from '../uploads/dropped-files.ts';
import { useIntakeStore } from '../uploads/intake-store.tsx';
import type { AddFiles, TakenFile } from '../uploads/intake.ts';
import { text } from './strings.ts';

/** Local files that are to be added to the vault. What is chosen outlives the view. */
export interface Additions {
  /** Shows the dialog. */
  show(): void;
  /** Adds files and folders of a drop to what is chosen, and shows it. */
  take(dropped: readonly DroppedEntry[]): void;
}

const AddFilesDialog = lazyDialog(() => import('./add-files-dialog.tsx').then((module) => module.AddFilesDialog));
const AdditionsContext = createContext<Additions | null>(null);

export function useAdditions(): Additions {
  const additions = useContext(AdditionsContext);
  if (additions === null) throw new TypeError('useAdditions outside of AdditionsProvider');
  return additions;
}

export function AdditionsProvider({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  const [files, setFiles] = useState<readonly TakenFile[]>([]);
  const count = useRef(0);
  const show = useCallback(() => setShown(true), []);
  const add = useCallback<AddFiles>(async (_workspaceId, taken) => {
    const added = taken.slice(0, mostAddedFiles - count.current);
    count.current += added.length;
    setFiles((before) => [...before, ...added]);
    return {
      added: added.length,
      failure: added.length === taken.length ? null : { kind: 'job-too-large', limit: mostAddedFiles },
    };
  }, []);
  const { store: intake, pickers } = useIntakeStore({ into: 'library', add, haltedWords: text.halted, show });
  const clear = (): void => {
    intake.stop();
    intake.dismissRefused();
    intake.dismissHalted();
    count.current = 0;
    setFiles([]);
  };
  const { take } = intake;
  const additions = useMemo((): Additions => ({ show, take }), [show, take]);
  return (
    <AdditionsContext value={additions}>
      {children}
      {pickers}
      {isShown && (
        <AddFilesDialog
          chosen={{ files, intake, clear }}
          onClose={() => {
            clear();
            setShown(false);
          }}
        />
      )}
    </AdditionsContext>
  );
}

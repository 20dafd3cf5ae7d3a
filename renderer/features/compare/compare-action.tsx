import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { Button } from '../../components/button.tsx';
import { keys } from '../../keyboard/keys.ts';
import { lazyDialog } from '../../state/lazy-dialog.tsx';
import { mostCompared, text } from './strings.ts';

const CompareDialog = lazyDialog(() => import('./compare-dialog.tsx').then((module) => module.CompareDialog));

interface CompareActionProps {
  /** How many rows are ticked. */
  ticked: number;
  /** Those of them that the library knows; null: none. A function reads them, and gives null where it could not. */
  selection: LibrarySelection | null | (() => Promise<LibrarySelection | null>);
  count: number;
}

/** Compares the ticked samples; nothing is shown where these are too few or too many. */
export function CompareAction({ ticked, selection, count }: CompareActionProps) {
  const [compared, setCompared] = useState<LibrarySelection | null>(null);
  const compare = async (): Promise<void> =>
    setCompared(typeof selection === 'function' ? await selection() : selection);
  return (
    <>
      {ticked >= 2 && ticked <= mostCompared && (
        <Button
          letter={keys.library.compare.keys}
          isDisabled={count < 2}
          why={text.tooFewKnown}
          onPress={() => void compare()}
        >
          <Columns3 size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.compare}
        </Button>
      )}
      {compared !== null && <CompareDialog selection={compared} onClose={() => setCompared(null)} />}
    </>
  );
}

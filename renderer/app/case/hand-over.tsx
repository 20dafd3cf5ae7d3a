import { useMemo, useState } from 'react';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { useToast } from '../../components/toasts.tsx';
import { laterDialog } from '../later-dialog.tsx';
import { useCommands } from '../palette/palette-provider.tsx';
import { useLatest } from '../use-latest.ts';
import { titleOf } from './case-title.ts';
import { HandOverMenu } from './hand-over-menu.tsx';
import { text } from './text.ts';

const CaseDialog = laterDialog(() => import('./case-dialog.tsx').then((module) => module.CaseDialog));
const MakeBundleDialog = laterDialog(() =>
  import('../bundle/make-bundle-dialog.tsx').then((module) => module.MakeBundleDialog),
);

/** As many names as one selection takes. */
const mostNamed = 5000;

export interface HandOverProps {
  /** Together they are what is meant; what was ticked one by one may be more than one selection holds. */
  selections: readonly LibrarySelection[];
  count: number;
  /** Of the sample that alone is meant; untrusted text. */
  name: string | null;
}

interface AskedHandOver {
  as: 'case' | 'bundle';
  selection: LibrarySelection;
  count: number;
  title: string;
}

/** Samples for somebody else: the button, its two dialogs, and both in the palette. */
export function HandOver({ selections, count, name }: HandOverProps) {
  const toast = useToast();
  const [asked, setAsked] = useState<AskedHandOver | null>(null);
  const isNone = count === 0;
  const ask = (as: AskedHandOver['as']): void => {
    const [selection, ...others] = selections;
    if (selection === undefined) return;
    if (others.length > 0) toast({ meaning: 'info', text: text.tooManyPicked(mostNamed) });
    else setAsked({ as, selection, count, title: titleOf(count, name) });
  };
  usePaletteWays(isNone, ask);
  const close = (): void => setAsked(null);
  return (
    <>
      <HandOverMenu isDisabled={isNone} onCase={() => ask('case')} onBundle={() => ask('bundle')} />
      {asked?.as === 'case' && <CaseDialog {...asked} onClose={close} />}
      {asked?.as === 'bundle' && <MakeBundleDialog {...asked} onClose={close} />}
    </>
  );
}

function usePaletteWays(isNone: boolean, ask: (as: AskedHandOver['as']) => void): void {
  const latest = useLatest(ask);
  useCommands(
    useMemo(
      () =>
        isNone
          ? {}
          : {
              actions: [
                {
                  id: 'hand-over:case',
                  title: text.caseCommand,
                  keywords: text.handOverWords,
                  run: () => latest('case'),
                },
                {
                  id: 'hand-over:bundle',
                  title: text.bundleCommand,
                  keywords: text.handOverWords,
                  run: () => latest('bundle'),
                },
              ],
            },
      [isNone, latest],
    ),
  );
}

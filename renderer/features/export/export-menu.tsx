import { FileOutput } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { isSeenLine, visibleLine } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { keys } from '../../keyboard/keys.ts';
import { useCommands } from '../../state/commands.tsx';
import { lazyDialog } from '../../state/lazy-dialog.tsx';
import { useLatest } from '../../state/presence.ts';
import { text } from '../case/strings.ts';

const CaseDialog = lazyDialog(() => import('../case/case-dialog.tsx').then((module) => module.CaseDialog));
const MakeBundleDialog = lazyDialog(() =>
  import('../bundle/make-bundle-dialog.tsx').then((module) => module.MakeBundleDialog),
);

/** As many names as one selection takes. */
const mostNamed = 5000;

interface ExportMenuProps {
  /**
   * Together they are what is meant; what was ticked one by one may be more than one selection holds. A function reads
   * them, and gives none where it could not.
   */
  selections: readonly LibrarySelection[] | (() => Promise<readonly LibrarySelection[]>);
  count: number;
  /** Of the sample that alone is meant; untrusted text. */
  name: string | null;
  /** Exports them as password ZIPs; null: none of them has bytes here. */
  onZip: (() => void) | null;
}

interface ExportRequest {
  as: 'case' | 'bundle';
  selection: LibrarySelection;
  count: number;
  title: string;
}

/** Exports samples: the button, the dialogs for cases and bundles, and every form in the palette. */
export function ExportMenu({ selections, count, name, onZip }: ExportMenuProps) {
  const toast = useToast();
  const [asked, setAsked] = useState<ExportRequest | null>(null);
  const isNone = count === 0;
  const ask = async (as: ExportRequest['as']): Promise<void> => {
    const isRead = typeof selections === 'function';
    const [selection, ...others] = isRead ? await selections() : selections;
    if (selection === undefined) return;
    if (others.length > 0) return toast({ meaning: 'info', text: text.tooManyPicked(mostNamed) });
    const meant = isRead && selection.kind === 'named' ? selection.hashes.length : count;
    setAsked({ as, selection, count: meant, title: titleOf(meant, name) });
  };
  usePaletteWays({ isNone, ask, onZip });
  const close = (): void => setAsked(null);
  return (
    <>
      <FormsMenu
        isDisabled={isNone}
        onZip={onZip}
        onCase={() => void ask('case')}
        onBundle={() => void ask('bundle')}
      />
      {asked?.as === 'case' && <CaseDialog {...asked} onClose={close} />}
      {asked?.as === 'bundle' && <MakeBundleDialog {...asked} onClose={close} />}
    </>
  );
}

interface PaletteWays extends Pick<ExportMenuProps, 'onZip'> {
  isNone: boolean;
  ask(as: ExportRequest['as']): Promise<void>;
}

function usePaletteWays({ isNone, ask, onZip }: PaletteWays): void {
  const latestAsk = useLatest((as: ExportRequest['as']) => void ask(as));
  const latestZip = useLatest(() => onZip?.());
  const hasZip = onZip !== null;
  useCommands(
    useMemo(() => {
      if (isNone) return {};
      const keywords = text.handOverWords;
      return {
        actions: [
          ...(hasZip ? [{ id: 'hand-over:zip', title: text.zipCommand, keywords, run: latestZip }] : []),
          { id: 'hand-over:case', title: text.caseCommand, keywords, run: () => latestAsk('case') },
          { id: 'hand-over:bundle', title: text.bundleCommand, keywords, run: () => latestAsk('bundle') },
        ],
      };
    }, [isNone, hasZip, latestAsk, latestZip]),
  );
}

interface FormsMenuProps {
  isDisabled?: boolean;
  /** null: none of the samples has bytes here. */
  onZip: (() => void) | null;
  onCase(): void;
  onBundle(): void;
}

/** Every form in which samples are exported; its letter is E. */
function FormsMenu({ isDisabled = false, onZip, onCase, onBundle }: FormsMenuProps) {
  return (
    <Menu
      label={text.handOverMenu}
      choices={[
        ...(onZip === null ? [] : [{ id: 'zip', text: text.asZip }]),
        { id: 'case', text: text.asCase },
        { id: 'bundle', text: text.asBundle },
      ]}
      onChoose={(id) => (id === 'zip' ? onZip?.() : id === 'case' ? onCase() : onBundle())}
      trigger={
        <Button
          letter={keys.sample.export.keys}
          data-keywords={text.handOverWords}
          isDisabled={isDisabled}
          why={text.noneChosen}
        >
          <FileOutput size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.handOver}
        </Button>
      }
    />
  );
}

const longestName = 80;
const day = (): string => new Date().toISOString().slice(0, 10);

/**
 * What a case or a bundle is called at first: as its only sample is, else by how many there are. A name is untrusted
 * text.
 */
function titleOf(count: number, name: string | null): string {
  const shown = visibleLine(cutMiddle(name?.trim() ?? '', longestName));
  return count === 1 && isSeenLine(shown) ? shown : text.defaultTitle(count, day());
}

export const titleOfJob = (id: number): string => text.jobTitle(id, day());

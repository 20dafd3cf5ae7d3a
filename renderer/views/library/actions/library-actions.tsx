import { Download, ScanSearch } from 'lucide-react';
import { memo } from 'react';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import { ExportMenu } from '../../../features/export/export-menu.tsx';
import { Button } from '../../../components/button.tsx';
import { formatNumber, formatSize } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { CompareAction } from '../../../features/compare/compare-action.tsx';
import { CopySamplesMenu } from '../../../features/copy-samples/copy-samples.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import { type ActionTarget, shownName } from '../../../features/library/action-target.ts';
import styles from './actions.module.css';
import { ForgetAction } from './forget-action.tsx';
import { type Reading, ReadingLine } from './metadata-fetch.tsx';
import { NoteAction } from './note-action.tsx';
import { TagAction, TlpAction } from './tag-action.tsx';

/** As many as are returned for copying. */
const mostCopied = 100_000;

interface LibraryActionsProps {
  target: ActionTarget;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
  /** How large they are together, where that is known. */
  bytes: number | null;
  reading: Reading;
  isDownloading: boolean;
  isScanning: boolean;
  /**
   * All of these are the same functions from drawing to drawing: the list is drawn often, and its actions seldom
   * change.
   */
  onDownload(target: ActionTarget): void;
  onScan(target: ActionTarget): void;
  onExport(target: ActionTarget): void;
}

/** What can be done with the samples that are ticked, or with the current one. */
function Actions({
  target,
  one,
  bytes,
  reading,
  isDownloading,
  isScanning,
  onDownload,
  onScan,
  onExport,
}: LibraryActionsProps) {
  const isNone = target.count === 0;
  const whyNot = (busy: string): string => (isNone ? text.noneChosen : busy);
  return (
    <footer
      className={classNames(layout.wrapRow, layout.bottom, styles.bar)}
      role="group"
      aria-label={text.actions}
      data-row-actions={namesOf(target, one)}
    >
      <ReadingLine reading={reading}>
        <TargetText target={target} one={one} bytes={bytes} />
      </ReadingLine>
      <div className={classNames(layout.wrap, styles.buttons)}>
        <TagAction target={target} one={one} />
        <NoteAction target={target} one={one} />
        <TlpAction target={target} />
        <Button
          letter="D"
          isDisabled={isNone || isDownloading}
          why={whyNot(text.downloadBegins)}
          onPress={() => onDownload(target)}
        >
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.download}
        </Button>
        <Button
          letter="S"
          isDisabled={isNone || isScanning}
          why={whyNot(text.scanBegins)}
          onPress={() => onScan(target)}
        >
          <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.scan}
        </Button>
        <CopyAction target={target} reading={reading} />
        <CompareAction ticked={target.ticked} selection={target.selections[0] ?? null} count={target.count} />
        <ExportMenu
          selections={target.selections}
          count={target.count}
          name={one?.name ?? null}
          onZip={() => onExport(target)}
        />
        <ForgetAction target={target} one={one} />
      </div>
    </footer>
  );
}

export const LibraryActions = memo(Actions);

/** What the actions are done with, in words for the menu of a row. */
function namesOf({ ticked }: ActionTarget, one: LibraryRow | null): string {
  if (ticked > 0) return text.selected(ticked);
  return one === null ? text.noneChosen : shownName(one);
}

function TargetText({ target: { ticked }, one, bytes }: Pick<LibraryActionsProps, 'target' | 'one' | 'bytes'>) {
  if (ticked > 0)
    return (
      <>
        <span className={classNames(typography.figure, styles.count)}>{text.selected(ticked)}</span>
        {bytes !== null && formatSize(bytes)}
      </>
    );
  if (one === null) return <>{text.noneChosen}</>;
  return one.name === null || one.name === '' ? <code>{shownName(one)}</code> : <SampleName name={one.name} />;
}

function CopyAction({ target, reading }: Pick<LibraryActionsProps, 'target' | 'reading'>) {
  return (
    <CopySamplesMenu
      samples={{ count: target.count, read: () => reading.read(target, mostCopied) }}
      triggerLetter="C"
      {...(target.ticked > 0 ? { scope: text.copyScope(formatNumber(target.ticked)) } : {})}
    />
  );
}

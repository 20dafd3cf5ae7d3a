import { Download, ScanSearch } from 'lucide-react';
import { memo } from 'react';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import { HandOver } from '../../../app/case/hand-over.tsx';
import { CopySamplesMenu } from '../../../app/copy-samples/copy-samples-menu.tsx';
import { Button } from '../../../components/button.tsx';
import { numberWords, sizeWords } from '../../../components/format.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import { type MeantSamples, shownName } from './action-target.ts';
import styles from './actions.module.css';
import { ForgetAction } from './forget-action.tsx';
import { type Reading, ReadingLine } from './metadata-fetch.tsx';
import { NoteAction } from './note-action.tsx';
import { TagAction, TlpAction } from './tag-action.tsx';

/** As many are told of for copying. */
const mostCopied = 100_000;

interface LibraryActionsProps {
  meant: MeantSamples;
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
  onDownload(meant: MeantSamples): void;
  onScan(meant: MeantSamples): void;
  onExport(meant: MeantSamples): void;
}

/** What can be done with the samples that are ticked, or with the current one. */
function Actions({
  meant,
  one,
  bytes,
  reading,
  isDownloading,
  isScanning,
  onDownload,
  onScan,
  onExport,
}: LibraryActionsProps) {
  const isNone = meant.count === 0;
  return (
    <footer className={classNames(layout.wrapRow, layout.bottom, styles.bar)} role="group" aria-label={text.actions}>
      <ReadingLine reading={reading}>
        <MeantWords meant={meant} one={one} bytes={bytes} />
      </ReadingLine>
      <div className={classNames(layout.wrap, styles.buttons)}>
        <TagAction meant={meant} one={one} />
        <NoteAction meant={meant} one={one} />
        <TlpAction meant={meant} />
        <Button letter="D" isDisabled={isNone || isDownloading} onPress={() => onDownload(meant)}>
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.download}
        </Button>
        <Button letter="S" isDisabled={isNone || isScanning} onPress={() => onScan(meant)}>
          <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.scan}
        </Button>
        <CopyAction meant={meant} reading={reading} />
        <HandOver
          selections={meant.selections}
          count={meant.count}
          name={one?.name ?? null}
          onZip={() => onExport(meant)}
        />
        <ForgetAction meant={meant} one={one} />
      </div>
    </footer>
  );
}

export const LibraryActions = memo(Actions);

function MeantWords({ meant: { ticked }, one, bytes }: Pick<LibraryActionsProps, 'meant' | 'one' | 'bytes'>) {
  if (ticked > 0)
    return (
      <>
        <span className={classNames(typography.figure, styles.count)}>{text.selected(ticked)}</span>
        {bytes !== null && sizeWords(bytes)}
      </>
    );
  if (one === null) return <>{text.noneChosen}</>;
  return <bdi>{one.name === null || one.name === '' ? <code>{shownName(one)}</code> : shownName(one)}</bdi>;
}

function CopyAction({ meant, reading }: Pick<LibraryActionsProps, 'meant' | 'reading'>) {
  return (
    <CopySamplesMenu
      samples={{ count: meant.count, read: () => reading.read(meant, mostCopied) }}
      triggerLetter="C"
      {...(meant.ticked > 0 ? { scope: text.copyScope(numberWords(meant.ticked)) } : {})}
    />
  );
}

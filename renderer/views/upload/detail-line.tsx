import { Languages, KeyRound, TriangleAlert, X } from 'lucide-react';
import {
  nameEncoding,
  type NameEncoding,
  nameEncodingLabels,
  nameEncodings,
} from '../../../shared/domain/opened-archive.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { ByteStripBar } from '../../components/byte-strip.tsx';
import { SampleName } from '../../components/sample-name.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { isRiskyArchive, oddityOf, standingOf } from './file-standing.ts';
import styles from './files-table.module.css';
import { text } from './text.ts';

export interface DetailLineProps {
  /** The current one. */
  file: UploadFile | undefined;
  sameAs: string | null;
  onUnlock(file: UploadFile): void;
  onReadNames(file: UploadFile, encoding: NameEncoding): void;
  onRemove(file: UploadFile): void;
}

const longestName = 48;
const encodings = nameEncodings.map((id) => ({ id, text: nameEncodingLabels[id] }));

/** More of the current file than a row has room for: where it was, what it is, and whatever is to be said about it. */
export function DetailLine({ file, sameAs, onUnlock, onReadNames, onRemove }: DetailLineProps) {
  if (file === undefined)
    return (
      <footer className={classNames(layout.row, layout.bottom, styles.detail)}>
        <p>{text.keysHint}</p>
      </footer>
    );
  const { kind, then } = standingOf(file, sameAs);
  const risk = isRiskyArchive(file) ? `${text.sentAsItIs}.` : null;
  const oddity = oddityOf(file);
  const news = [oddity === null ? null : text.unusual(oddity), risk, then].filter((part) => part !== null).join(' ');
  const isWarning = risk !== null || oddity !== null || kind === 'warn' || kind === 'locked' || kind === 'unanswered';
  return (
    <footer className={classNames(layout.row, layout.bottom, styles.detail)}>
      {/* Where the table is too narrow for its column, this is where a file's bytes are seen. */}
      {file.strip !== null && <ByteStripBar strip={file.strip} size="row" />}
      <p className={classNames(layout.wrap, styles.detailName)}>
        <SampleName name={file.name} longest={longestName} />
        {factsOf(file).map((part) => (
          <bdi key={part} className={classNames(typography.ellipsis, styles.detailFact)}>
            {visibleText(part)}
          </bdi>
        ))}
      </p>
      <p className={classNames(layout.row6, styles.detailNews, isWarning && typography.warn)} role="status">
        {news !== '' && isWarning && <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />}
        {news !== '' && <bdi title={visibleText(news)}>{visibleText(news)}</bdi>}
      </p>
      {file.archive?.state === 'open' && file.archive.nameEncoding !== null && (
        <ChoiceMenu
          trigger={
            <Button size="small">
              <Languages size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.namesAre(nameEncodingLabels[file.archive.nameEncoding])}
            </Button>
          }
          label={text.nameEncodingMenu}
          choices={encodings}
          chosen={[file.archive.nameEncoding]}
          of="one"
          onChange={([chosen]) => onReadNames(file, nameEncoding.parse(chosen))}
        />
      )}
      {file.archive?.state === 'locked' && (
        <Button size="small" onPress={() => onUnlock(file)}>
          <KeyRound size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.enterPassword}
        </Button>
      )}
      <Button size="small" look="quiet" onPress={() => onRemove(file)}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.removeThis}
      </Button>
    </footer>
  );
}

function factsOf({ archive, path, mime }: UploadFile): string[] {
  const members = archive?.state === 'open' ? text.members(archive.members) : '';
  return [members, path, mime ?? ''].filter((part) => part !== '');
}

import type { UploadChange, UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { numberWords } from '../../components/byte-words.ts';
import { ByteStripBar } from '../../components/byte-strip.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { TagField } from '../../components/tag-field.tsx';
import { TlpSelect } from '../../components/tlp-select.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { FileNameCell } from './file-name-cell.tsx';
import { canBeSent, standingOf } from './file-standing.ts';
import styles from './files-table.module.css';
import { FlagCell } from './flag-cell.tsx';
import { StandingMark } from './standing-mark.tsx';
import { text } from './text.ts';

/** A file as the table shows it. */
export type ShownFile = UploadFile & {
  /** The name of the file it is the same as, as far as it is loaded. */
  sameAsName?: string;
  /** Its fields are reached by Tab. */
  isEdited?: boolean;
};

export interface FileActs {
  receivers: { virusTotal: string; sandbox: string };
  change(file: UploadFile, change: UploadChange): void;
  suggest(beginning: string): Promise<readonly string[]>;
  /** Asks for the password of a locked archive. */
  unlock(file: UploadFile): void;
}

/** Tags, TLP and flags are those of a sample: what is none has none. */
const hasSample = ({ state }: UploadFile): boolean => state === 'ready' || state === 'hashing';

export function fileColumns(acts: FileActs): readonly GridColumn<ShownFile>[] {
  return [
    {
      id: 'strip',
      title: text.columns.strip,
      width: 60,
      leaves: 2,
      cell: ({ strip }) => <ByteStripBar strip={strip} size="row" />,
    },
    {
      id: 'file',
      title: text.columns.file,
      width: { flex: 1, min: 106 },
      isRowHeader: true,
      cell: (file) => <FileNameCell file={file} />,
    },
    {
      id: 'size',
      title: text.columns.size,
      width: 72,
      align: 'end',
      leaves: 1,
      cell: (file) => (
        <span className={classNames(!canBeSent(file) && styles.aside)}>{numberWords(file.sizeBytes)}</span>
      ),
    },
    {
      id: 'presence',
      title: text.columns.presence,
      width: 104,
      spills: true,
      cell: (file) => <PresenceCell file={file} acts={acts} />,
    },
    {
      id: 'tags',
      title: text.columns.tags,
      width: { flex: 1, min: 162 },
      cell: (file) => (hasSample(file) ? <TagsCell file={file} acts={acts} /> : null),
    },
    { id: 'tlp', title: text.columns.tlp, width: 134, cell: (file) => <TlpCell file={file} acts={acts} /> },
    { id: 'virusTotal', title: acts.receivers.virusTotal, width: 56, cell: (file) => flag(file, acts, 'virusTotal') },
    { id: 'sandbox', title: acts.receivers.sandbox, width: 48, cell: (file) => flag(file, acts, 'sandbox') },
  ];
}

interface CellProps {
  file: ShownFile;
  acts: FileActs;
}

function PresenceCell({ file, acts }: CellProps) {
  const standing = standingOf(file, file.sameAsName ?? null);
  if (standing.kind !== 'locked') return <StandingMark standing={standing} />;
  return (
    <button
      type="button"
      className={classNames(layout.row, styles.unlock)}
      tabIndex={file.isEdited === true ? 0 : -1}
      aria-label={text.enterPasswordOf(visibleText(file.name))}
      data-unlock
      onClick={() => acts.unlock(file)}
    >
      <StandingMark standing={standing} />
    </button>
  );
}

function TagsCell({ file, acts }: CellProps) {
  return (
    <TagField
      key={file.id}
      size="row"
      label={text.tagsOf(visibleText(file.name))}
      tags={file.tags}
      suggest={acts.suggest}
      isTabStop={file.isEdited === true}
      onAdd={(tag) => acts.change(file, { addTags: [tag] })}
      onRemove={(tag) => acts.change(file, { removeTags: [tag] })}
      onTlp={(tlp) => acts.change(file, { tlp })}
    />
  );
}

function TlpCell({ file, acts }: CellProps) {
  if (!hasSample(file))
    return (
      <span className={styles.aside} aria-hidden="true">
        {text.none}
      </span>
    );
  return (
    <TlpSelect
      size="row"
      label={text.tlpOf(visibleText(file.name))}
      level={file.tlp}
      isTabStop={file.isEdited === true}
      onChange={(tlp) => acts.change(file, { tlp })}
    />
  );
}

function flag(file: ShownFile, acts: FileActs, name: 'virusTotal' | 'sandbox') {
  return (
    <FlagCell
      file={file}
      receiver={acts.receivers[name]}
      isOn={file[name]}
      isTabStop={file.isEdited === true}
      onChange={(isOn) => acts.change(file, { [name]: isOn })}
    />
  );
}

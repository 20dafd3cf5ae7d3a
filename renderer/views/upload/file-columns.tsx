import {
  CircleArrowUp,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock3,
  CornerDownRight,
  FolderInput,
  LockKeyhole,
  TriangleAlert,
} from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { forbidsThirdParties } from '../../../shared/domain/tag.ts';
import type { UploadChange, UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { ByteStripBar } from '../../components/byte-strip.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { TickBox } from '../../components/data-grid/grid-row.tsx';
import { formatNumber } from '../../components/format.ts';
import { SampleName } from '../../components/service-text.tsx';
import type { TagFieldProps } from '../../components/tag-field/tag-field-typing.ts';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { TlpSelect } from '../../components/tlp-select.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { canBeSent, oddityOf, type Standing, type StandingKind, standingOf } from './file-standing.ts';
import styles from './files-table.module.css';
import { text } from './strings.ts';

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
  suggestions: Pick<TagFieldProps, 'suggest' | 'suggestOfRepository'>;
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
        <span className={classNames(!canBeSent(file) && styles.aside)}>{formatNumber(file.sizeBytes)}</span>
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
      {...acts.suggestions}
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

/** The name, a member below its archive, what is unusual about it, and in quiet words where it was and what it is. */
function FileNameCell({ file }: { file: UploadFile }) {
  const { name, path, mime, parentId, archive } = file;
  const members = archive?.state === 'open' ? text.members(archive.members) : null;
  const oddity = oddityOf(file);
  const aside = [members, path, mime].filter((part) => part !== null && part !== '').join(' · ');
  return (
    <span
      className={classNames(layout.wrap, styles.file, !canBeSent(file) && styles.aside)}
      title={visibleText([name, path, oddity ?? ''].filter((line) => line !== '').join('\n'))}
    >
      <span className={classNames(layout.row4, styles.named)}>
        {parentId !== null && (
          <CornerDownRight className={styles.member} size={12} strokeWidth={1.6} aria-hidden="true" />
        )}
        {parentId !== null && <span className={aloud.only}>{text.memberOf}</span>}
        <SampleName name={name} />
        {oddity !== null && (
          <TriangleAlert
            className={classNames(layout.fixed, typography.warn)}
            size={12}
            strokeWidth={1.6}
            aria-hidden="true"
          />
        )}
      </span>
      {oddity !== null && (
        <span className={classNames(typography.cut, styles.oddity)} data-gives-way>
          <bdi>{visibleText(oddity)}</bdi>
        </span>
      )}
      {aside !== '' && (
        <bdi className={classNames(typography.cut, styles.facts)} data-gives-way>
          {visibleText(aside)}
        </bdi>
      )}
    </span>
  );
}

interface FlagCellProps {
  file: UploadFile;
  /** The third party, in this team's words. */
  receiver: string;
  isOn: boolean;
  /** Reached by Tab: while its row is edited. */
  isTabStop: boolean;
  onChange(isOn: boolean): void;
}

/** Whether a third party gets the file: off until ticked, and a lock in its place where the TLP forbids it. */
function FlagCell({ file, receiver, isOn, isTabStop, onChange }: FlagCellProps) {
  if (!canBeSent(file))
    return (
      <span className={classNames(layout.middle, styles.none)}>
        <span aria-hidden="true">{text.none}</span>
        <span className={aloud.only}>{text.notAvailable}</span>
      </span>
    );
  if (file.tlp !== null && forbidsThirdParties(file.tlp))
    return <Lock words={text.shut(receiver, file.tlp.toUpperCase())} isTabStop={isTabStop} />;
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isOn}
      aria-label={text.sendTo(receiver, visibleText(file.name))}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames(layout.middle, surface.bare, styles.flag)}
      onKeyDown={pressedOnce}
      onClick={(event) => {
        onChange(!isOn);
        // After the pointer the keys are those of the table again.
        if (event.detail > 0) event.currentTarget.closest<HTMLElement>('[data-index]')?.focus();
      }}
    >
      <TickBox state={isOn ? 'all' : 'none'} />
    </button>
  );
}

/** Shows why as soon as it has the focus; elsewhere it is a picture, which is much quicker to draw. */
function Lock({ words, isTabStop }: { words: string; isTabStop: boolean }) {
  const icon = <LockKeyhole size={14} strokeWidth={1.6} aria-hidden="true" />;
  if (!isTabStop)
    return (
      <span
        className={classNames(layout.middle, surface.bare, styles.flag, styles.shut)}
        role="img"
        aria-label={words}
        title={words}
      >
        {icon}
      </span>
    );
  return (
    <TooltipTrigger delay={0} closeDelay={0}>
      <Button className={classNames(layout.middle, surface.bare, styles.flag, styles.shut)} aria-label={words}>
        {icon}
      </Button>
      <Tooltip placement="top" offset={4} className={classNames(surface.tip)}>
        {words}
      </Tooltip>
    </TooltipTrigger>
  );
}

const icons: Readonly<Record<StandingKind, typeof Clock3>> = {
  waiting: Clock3,
  new: CircleArrowUp,
  there: CircleCheck,
  unanswered: CircleHelp,
  held: FolderInput,
  out: CircleX,
  locked: LockKeyhole,
  warn: TriangleAlert,
};

/** The state of a file: a shape, a word, and the colour last. */
function StandingMark({ standing: { kind, word, then } }: { standing: Standing }) {
  const Icon = icons[kind];
  return (
    <span
      className={classNames(layout.row6, styles.standing)}
      title={visibleText(then === null ? word : `${word}. ${then}`)}
    >
      <Icon className={classNames(styles[kind])} size={14} strokeWidth={1.6} aria-hidden="true" />
      <bdi className={classNames(typography.cut, styles.standingWord)}>{visibleText(word)}</bdi>
    </span>
  );
}

/**
 * For a box of one's own: the browser presses it again and again while Enter is held, and each press takes back the one
 * before.
 */
export function pressedOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}

import { Check, Download, Ellipsis, Pin, PinOff, Trash2, TriangleAlert, Undo2 } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { rowForKey } from '../../../components/data-grid/use-grid-acts.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { Menu, type MenuChoice } from '../../../components/menu.tsx';
import { ExportZipDialog, useReportedZip } from '../../../features/export/zip-dialog.tsx';
import { useReportedAction } from '../../../state/reported-action.ts';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './package-list.module.css';
import { text } from './strings.ts';
import { formatActive, obstacleTo, shortVersion, stepTo } from './update-step.ts';
import { useUpdates } from './updates-context.tsx';

/** Rows a page key passes. */
const page = 5;

interface PackageListProps {
  state: PublicationsState;
  chosen: PackageView;
  onChoose(chosen: PackageView): void;
  /** Enter: on to its changes. */
  onOpen(): void;
}

/** The packages that are kept here, newest first. Moving to one shows it; Tab leads to what can be done with it. */
export function PackageList({ state, chosen, onChoose, onOpen }: PackageListProps) {
  const { values } = useSettings();
  const list = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const { packages } = state;
  const at = packages.indexOf(chosen);
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !isRow(event.target)) return;
    if (event.key === 'Enter') onOpen();
    const to = rowForKey(event, { row: at, count: packages.length, page, letters: values.singleLetterKeys });
    const next = to === null ? undefined : packages[Math.max(0, to)];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined || next === chosen) return;
    wantsFocus.current = true;
    onChoose(next);
  };
  // Where the focus goes when what had it is gone.
  const onFocus = (event: FocusEvent): void => {
    if (event.target === event.currentTarget)
      list.current?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus();
  };
  return (
    <div
      ref={list}
      role="grid"
      aria-label={text.packages}
      aria-rowcount={packages.length}
      tabIndex={-1}
      className={classNames(layout.scroll, styles.list)}
      data-landing
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {packages.map((each, index) => (
        <PackageRow
          key={each.sha256}
          state={state}
          shown={each}
          index={index}
          isCurrent={each === chosen}
          onChoose={() => onChoose(each)}
        />
      ))}
    </div>
  );
}

const isRow = (target: EventTarget): boolean => target instanceof HTMLElement && target.matches('[data-index]');

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

interface PackageRowProps {
  state: PublicationsState;
  shown: PackageView;
  /** Among the packages, from 0. */
  index: number;
  isCurrent: boolean;
  onChoose(): void;
}

/** One package: what it is, its state, and the way back to it. */
function PackageRow({ state, shown, index, isCurrent, onChoose }: PackageRowProps) {
  const { activate } = useUpdates();
  const canRollBack = stepTo(shown, state) === 'rollback' && obstacleTo(shown, state) === null;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-current={isCurrent || undefined}
      data-index={index}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(styles.package, isCurrent && styles.current)}
      onClick={onChoose}
      onFocus={(event) => event.target === event.currentTarget && !isCurrent && onChoose()}
    >
      <div role="rowheader" className={layout.stack2}>
        <span className={classNames(layout.row, styles.versionLine)}>
          <strong className={classNames(typography.breaks, typography.heading)} title={visibleText(shown.version)}>
            <bdi>{shortVersion(shown.version)}</bdi>
          </strong>
          <Standing state={state} shown={shown} />
        </span>
        <span className={classNames(layout.spread, typography.note)} data-figures>
          <span className={typography.cut}>
            <bdi>{text.groupAndSize(shown.group === null ? null : visibleText(shown.group), shown.sizeBytes)}</bdi>
          </span>
          {shown.contents !== null && <span className={layout.fixed}>{text.rules(shown.contents.rules)}</span>}
        </span>
      </div>
      {canRollBack && (
        <div role="gridcell" className={styles.wayBack}>
          <Button
            size="small"
            aria-label={text.rollBackTo(shortVersion(shown.version))}
            excludeFromTabOrder={!isCurrent}
            onPress={() => activate(shown)}
          >
            <Undo2 {...icon} />
            {text.rollBack}
          </Button>
        </div>
      )}
      <div role="gridcell" className={styles.packageMenu}>
        <PackageMenu state={state} shown={shown} isTabStop={isCurrent} />
      </div>
    </div>
  );
}

/** In words, each with its shape. */
function Standing({
  state: { active, candidate, pinned },
  shown: { sha256, contents, activated, activeMs },
}: {
  state: PublicationsState;
  shown: PackageView;
}) {
  const chips: ReactNode[] = [
    sha256 === active && (
      <span key="active" className={classNames(layout.inline4, styles.chip, styles.ok)}>
        <Check {...icon} size={12} />
        {text.active}
      </span>
    ),
    (sha256 === candidate || activated === null) && sha256 !== active && (
      <span key="new" className={classNames(layout.inline4, styles.chip, styles.accent)}>
        {text.isNew}
      </span>
    ),
    sha256 === pinned && (
      <span key="pinned" className={classNames(layout.inline4, styles.chip)}>
        <Pin {...icon} size={12} />
        {text.pinned}
      </span>
    ),
    contents === null && (
      <span key="unopened" className={classNames(layout.inline4, styles.chip, styles.bad)}>
        <TriangleAlert {...icon} size={12} />
        {text.unopened}
      </span>
    ),
    sha256 !== active && activated !== null && (
      <span key="was" className={typography.smallNote}>
        {formatActive(activeMs)}
      </span>
    ),
  ];
  return <span className={classNames(layout.row4, styles.chips)}>{chips}</span>;
}

/** What is done with a package now and then. */
function PackageMenu({
  state,
  shown,
  isTabStop,
}: {
  state: PublicationsState;
  shown: PackageView;
  isTabStop: boolean;
}) {
  const { pin } = useUpdates();
  const [dialog, setDialog] = useState<'export' | 'remove' | null>(null);
  const isPinned = shown.sha256 === state.pinned;
  const isInUse = shown.sha256 === state.active || isPinned;
  const choices: readonly MenuChoice[] = [
    isPinned
      ? { id: 'unpin', text: text.unpin, icon: <PinOff {...icon} /> }
      : { id: 'pin', text: text.pin, icon: <Pin {...icon} /> },
    { id: 'export', text: text.export, icon: <Download {...icon} /> },
    {
      id: 'remove',
      text: text.remove,
      icon: <Trash2 {...icon} />,
      isDisabled: isInUse,
      ...(isInUse ? { aside: isPinned ? text.pinned : text.removeActive } : {}),
    },
  ];
  const act = (id: string): void => {
    if (id === 'export' || id === 'remove') setDialog(id);
    else pin(id === 'pin' ? shown.sha256 : null);
  };
  const label = text.packageMenu(shortVersion(shown.version));
  const close = (): void => setDialog(null);
  return (
    <>
      <Menu
        label={label}
        choices={choices}
        onChoose={act}
        trigger={
          <IconButton label={label} excludeFromTabOrder={!isTabStop}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      />
      {dialog === 'export' && <ExportPackage shown={shown} workspaceId={state.workspaceId} onClose={close} />}
      {dialog === 'remove' && <RemovePackage shown={shown} onClose={close} />}
    </>
  );
}

const longestName = 48;
const shownName = (fileName: string): string => cutMiddle(fileName, longestName);

/** Exports a package. */
function ExportPackage({ shown, workspaceId, onClose }: { shown: PackageView; workspaceId: string; onClose(): void }) {
  const version = shortVersion(shown.version);
  const failureText = (why: string): string => text.notExported(version, why);
  const exporting = useReportedAction(
    'publications.export',
    useReportedZip({ shownName, exportedText: text.exportedTo, failureText }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportTitle(version)}
      sentence={text.exportSentence}
      exporting={exporting}
      retry={variables && { name: 'publications.export', input: variables }}
      onExport={(how) => exporting.mutate({ workspaceId, sha256: shown.sha256, ...how })}
      shownName={shownName}
      onClose={onClose}
    />
  );
}

/** A package that is gone cannot be rolled back to, so it asks. */
function RemovePackage({ shown, onClose }: { shown: PackageView; onClose(): void }) {
  const { remove } = useUpdates();
  const act = (): void => {
    onClose();
    remove(shown);
  };
  return (
    <Dialog
      title={text.removeTitle(shortVersion(shown.version))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          <Button look="danger" onPress={act}>
            {text.removePackage}
          </Button>
        </>
      }
    >
      <p>{text.removeThen}</p>
    </Dialog>
  );
}

import { Check, Pin, TriangleAlert, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { activeWords } from './active-words.ts';
import { PackageMenu } from './package-menu.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { obstacleTo, stepTo } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './package-list.module.css';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

export interface PackageRowProps {
  state: PublicationsState;
  shown: PackageView;
  /** Among the packages, from 0. */
  index: number;
  isCurrent: boolean;
  onChoose(): void;
}

/** One package: what it is, how it stands, and the way back to it. */
export function PackageRow({ state, shown, index, isCurrent, onChoose }: PackageRowProps) {
  const { activate } = useUpdatesDesk();
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
        {activeWords(activeMs)}
      </span>
    ),
  ];
  return <span className={classNames(layout.row4, styles.chips)}>{chips}</span>;
}

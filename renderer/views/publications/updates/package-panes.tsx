import { useRef } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { useRested } from '../../../app/use-rested.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ComparedPackage } from './compared-package.tsx';
import { PackageList } from './package-list.tsx';
import { text } from './text.ts';
import { packageOf } from './update-step.ts';
import styles from './updates.module.css';

/** A key that is held down passes packages that nobody looks at. */
const showRestMs = 120;

/**
 * The packages, and what is different in the one that is chosen: the one that waits at first, or else the active one.
 */
export function PackagePanes({ state }: { state: PublicationsState }) {
  const [{ shownPackage }, note] = usePublicationsPlace(state.workspaceId);
  const panes = useRef<HTMLDivElement>(null);
  const chosen =
    packageOf(state, shownPackage) ??
    packageOf(state, state.candidate) ??
    packageOf(state, state.active) ??
    state.packages[0] ??
    null;
  const rested = useRested(chosen?.sha256 ?? null, showRestMs);
  // By its name: what is known of it may have changed meanwhile.
  const shown = packageOf(state, rested) ?? chosen;
  if (chosen === null || shown === null) return null;
  const choose = ({ sha256 }: PackageView): void => note({ shownPackage: sha256 });
  const toChanges = (): void =>
    panes.current?.querySelector<HTMLElement>('[data-changes] [role=row][tabindex="0"]')?.focus();
  return (
    <div ref={panes} className={classNames(layout.panes, styles.panes)}>
      <section className={classNames(layout.pane, styles.packages)} data-pane aria-label={text.packages}>
        <div className={classNames(layout.spreadRow, layout.top, styles.paneHead)}>
          <h2>{text.packages}</h2>
          <span className={typography.cutNote} data-figures>
            {text.keptHere(state.packages.length)}
          </span>
        </div>
        <PackageList state={state} chosen={chosen} onChoose={choose} onOpen={toChanges} />
        <p className={classNames(layout.bottom, typography.note, layout.inset, styles.paneFoot)}>{text.rollBackFoot}</p>
      </section>
      {/* Another pair of packages is another difference. */}
      <ComparedPackage key={`${state.active} ${shown.sha256}`} state={state} shown={shown} />
    </div>
  );
}

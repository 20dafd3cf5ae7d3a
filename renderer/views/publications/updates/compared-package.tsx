import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ChangesPane } from './changes-pane.tsx';
import { ComparePane } from './compare-pane.tsx';
import { text } from './text.ts';
import { UnopenedPackage } from './unopened-package.tsx';
import styles from './updates.module.css';
import { useComparison } from './use-comparison.ts';
import type { OpenedLine } from './use-opened-text.ts';

export interface ComparedPackageProps {
  state: PublicationsState;
  shown: PackageView;
}

/** What is different in a package from the active one, rule by rule. */
export function ComparedPackage({ state, shown }: ComparedPackageProps) {
  if (shown.contents !== null) return <Comparing state={state} shown={shown} />;
  return (
    <>
      <section className={classNames(layout.pane, styles.changes)} data-pane aria-label={text.changes}>
        <div className={classNames(layout.spreadRow, layout.top, styles.paneHead)}>
          <h2>{text.changes}</h2>
        </div>
        <p className={classNames(typography.note, layout.inset)}>{text.nothingToCompare}</p>
      </section>
      <UnopenedPackage shown={shown} />
    </>
  );
}

const currentLine = '[data-changes] [role=row][tabindex="0"]';

function Comparing({ state, shown }: ComparedPackageProps) {
  const comparison = useComparison(state.workspaceId, state.active, shown.sha256);
  const panes = useRef<HTMLDivElement>(null);
  const [askedFor, askFor] = useState(0);
  const [opened, open] = useState<OpenedLine | null>(null);
  const toLine = (): void => panes.current?.querySelector<HTMLElement>(currentLine)?.focus();
  // Once the line that was asked for is the current one.
  useEffect(() => {
    if (askedFor > 0) panes.current?.querySelector<HTMLElement>(currentLine)?.focus();
  }, [askedFor]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isInText =
      event.target instanceof Element &&
      panes.current?.contains(event.target) === true &&
      event.target.closest('[data-compare]') !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && isInText) toLine();
  };
  const showLine = (index: number): void => {
    comparison.showAtFirst(index);
    askFor((times) => times + 1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={panes} className={styles.compared} onKeyDown={onKeyDown}>
      <ChangesPane state={state} comparison={comparison} onOpen={() => open({ index: comparison.index })} />
      <ComparePane state={state} shown={shown} comparison={comparison} opened={opened} onShowLine={showLine} />
    </div>
  );
}

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ChangesPane } from './changes-pane.tsx';
import { ComparePane, PackageFacts } from './compare-pane.tsx';
import styles from './compare.module.css';
import { type OpenedLine, useComparison } from './comparison.ts';
import { text } from './strings.ts';
import { shortVersion } from './update-step.ts';
import { useUpdates } from './updates-context.tsx';
import panes from './updates.module.css';

interface ComparedPackageProps {
  state: PublicationsState;
  shown: PackageView;
}

/** What is different in a package from the active one, rule by rule. */
export function ComparedPackage({ state, shown }: ComparedPackageProps) {
  if (shown.contents !== null) return <Comparing state={state} shown={shown} />;
  return (
    <>
      <section className={classNames(layout.pane, panes.changes)} data-pane aria-label={text.changes}>
        <div className={classNames(layout.spreadRow, layout.top, panes.paneHead)}>
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
  const root = useRef<HTMLDivElement>(null);
  const [askedFor, askFor] = useState(0);
  const [opened, open] = useState<OpenedLine | null>(null);
  const toLine = (): void => root.current?.querySelector<HTMLElement>(currentLine)?.focus();
  // Once the line that was asked for is the current one.
  useEffect(() => {
    if (askedFor > 0) root.current?.querySelector<HTMLElement>(currentLine)?.focus();
  }, [askedFor]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isInText =
      event.target instanceof Element &&
      root.current?.contains(event.target) === true &&
      event.target.closest('[data-compare]') !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && isInText) toLine();
  };
  const showLine = (index: number): void => {
    comparison.showAtFirst(index);
    askFor((times) => times + 1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={root} className={panes.compared} onKeyDown={onKeyDown}>
      <ChangesPane state={state} comparison={comparison} onOpen={() => open({ index: comparison.index })} />
      <ComparePane state={state} shown={shown} comparison={comparison} opened={opened} onShowLine={showLine} />
    </div>
  );
}

/** Kept as it was received, and why it cannot be opened here. */
function UnopenedPackage({ shown }: { shown: PackageView }) {
  const { show, packageFailure } = useUpdates();
  const failure = shown.failure ?? ({ kind: 'package-unreadable', sha256: shown.sha256, text: '' } as const);
  const remedy = failure.kind === 'archive-password' && (
    <Button size="small" onPress={() => show('settings')}>
      {text.openUpdateSettings}
    </Button>
  );
  return (
    <section className={classNames(layout.pane, panes.compare)} data-pane aria-label={text.compare}>
      <div className={classNames(layout.row, styles.compareHead)}>
        <h2 className={classNames(typography.viewTitle, typography.anywhere)}>
          <bdi>{shortVersion(shown.version)}</bdi>
        </h2>
      </div>
      <div className={classNames(layout.stack8, styles.notices)}>
        {packageFailure !== null && <FailureNotice failure={packageFailure} />}
        <FailureNotice
          failure={failure}
          after={failure.kind === 'package-unreadable' ? undefined : text.keptUnopened}
          action={remedy}
        />
      </div>
      <PackageFacts shown={shown} />
    </section>
  );
}

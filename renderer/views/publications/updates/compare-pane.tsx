import { useId } from 'react';
import type { DifferenceCounts, PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { numberWords } from '../../../components/byte-words.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ChangeShare } from './change-share.tsx';
import { ExportDifference } from './export-difference.tsx';
import { type HuntOffer, HuntFoot, useHuntOffer } from './hunt-foot.tsx';
import { PackageFacts } from './package-facts.tsx';
import { PackageNotices } from './package-notices.tsx';
import { ShownRule } from './shown-rule.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { TrialPanel } from './trial-panel.tsx';
import { obstacleTo, packageOf, stepTo } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './compare.module.css';
import panes from './updates.module.css';
import type { Comparison } from './use-comparison.ts';
import type { OpenedLine } from './use-opened-text.ts';

export interface ComparePaneProps {
  state: PublicationsState;
  shown: PackageView;
  comparison: Comparison;
  opened: OpenedLine | null;
  /** Leads to a line among the changes. */
  onShowLine(index: number): void;
}

/** From where to where, the one step there, what speaks against it, and the text of the rule that is shown. */
export function ComparePane({ state, shown, comparison, opened, onShowLine }: ComparePaneProps) {
  const title = useId();
  const isActive = shown.sha256 === state.active;
  const offer = useHuntOffer(state, shown);
  return (
    <section className={classNames(layout.pane, panes.compare)} data-pane data-compare aria-labelledby={title}>
      <CompareHead id={title} state={state} shown={shown} comparison={comparison} offer={offer} />
      <PackageNotices state={state} shown={shown} comparison={comparison} onShowLine={onShowLine} />
      {isActive && <PackageFacts shown={shown} isActive />}
      {comparison.index >= 0 && <ShownRule comparison={comparison} opened={opened} />}
      {!isActive && <TrialPanel state={state} shown={shown} />}
      {offer !== null && <HuntFoot offer={offer} />}
    </section>
  );
}

function CompareHead({
  id,
  state,
  shown,
  comparison: { review },
  offer,
}: Pick<ComparePaneProps, 'state' | 'shown' | 'comparison'> & { id: string; offer: HuntOffer | null }) {
  const active = packageOf(state, state.active);
  const version = shortVersion(shown.version);
  const isActive = active === shown;
  const title = isActive
    ? text.isActive(version)
    : active === null
      ? version
      : text.fromTo(shortVersion(active.version), version);
  const { contents } = shown;
  const counts = review?.counts ?? null;
  const isCompared = counts !== null && active !== null && !isActive;
  return (
    <div className={classNames(layout.row, styles.compareHead)}>
      <div className={styles.compareWords}>
        <h2 id={id} className={classNames(typography.viewTitle, typography.anywhere)}>
          <bdi>{title}</bdi>
        </h2>
        <p className={classNames(layout.wrap, styles.compareLine)} data-figures>
          {isCompared && (
            <span className={classNames(layout.flex12, styles.counts)}>
              <span className={typography.ok}>+{numberWords(counts.added)}</span>{' '}
              <span className={typography.bad}>−{numberWords(counts.removed)}</span>{' '}
              <span className={typography.warn}>~{numberWords(counts.changed)}</span>
            </span>
          )}
          {contents !== null && <span>{text.compile(contents.rules, contents.rules + contents.broken)}</span>}
          {shown.fileName && (
            <span>
              <bdi>{text.fromFile(visibleText(shown.fileName))}</bdi>, <TimeText sent={shown.received} />
            </span>
          )}
        </p>
        {isCompared && contents !== null && <ChangeShare counts={counts} rules={contents.rules} />}
      </div>
      <div className={layout.wrap8}>
        {isCompared && <ExportDifference state={state} shown={shown} />}
        <StepButton state={state} shown={shown} counts={counts} offer={offer} />
      </div>
    </div>
  );
}

/** Its words say what it does, in the numbers that are listed beside it. */
function StepButton({
  state,
  shown,
  counts,
  offer,
}: Pick<ComparePaneProps, 'state' | 'shown'> & { counts: DifferenceCounts | null; offer: HuntOffer | null }) {
  const { activate, hunt } = useUpdatesDesk();
  const step = stepTo(shown, state);
  if (step === 'none') return null;
  const amount =
    step === 'install'
      ? text.rules(shown.contents?.rules ?? 0)
      : counts && text.counts(counts.added, counts.removed, counts.changed);
  return (
    <Button
      look="primary"
      letter="U"
      isDisabled={obstacleTo(shown, state) !== null}
      onPress={() => activate(shown, offer !== null && hunt.isWanted ? hunt.start : undefined)}
    >
      {text.steps[step](shortVersion(shown.version), amount)}
    </Button>
  );
}

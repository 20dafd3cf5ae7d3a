import { VolumeX } from 'lucide-react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { useLate } from '../../../components/use-late.ts';
import { ChangesGrid } from './changes-grid.tsx';
import { text } from './text.ts';
import styles from './updates.module.css';
import type { Comparison } from './use-comparison.ts';

export interface ChangesPaneProps {
  state: PublicationsState;
  comparison: Comparison;
  /** Enter: on to the text of the line. */
  onOpen(): void;
}

/** The lines of the difference; of the active package itself, what is broken in it. */
export function ChangesPane({ state, comparison, onOpen }: ChangesPaneProps) {
  const { counts, failure, from, to, total } = comparison;
  const isLate = useLate(counts === null && failure === null);
  const isActive = from === to;
  return (
    <section className={styles.changes} data-pane data-changes aria-label={text.changes}>
      <div className={styles.paneHead}>
        <h2>{text.changes}</h2>
        {counts !== null && <span className={styles.aside} data-figures>{isActive ? text.inUse(counts.same) : from !== null && text.stay(counts.same)}</span>}
      </div>
      {failure !== null && <div className={styles.toldIn}><ReadFailure failure={failure} of="publications.difference" /></div>}
      {isLate && <p className={styles.quiet} role="status">{text.comparing}</p>}
      {counts !== null && total === 0 && <p className={styles.quiet}>{isActive ? text.noBroken : text.noChanges}</p>}
      {counts !== null && total > 0 && <ChangesGrid counts={counts} comparison={comparison} onOpen={onOpen} />}
      <FlaggedMutes state={state} comparison={comparison} />
    </section>
  );
}

const longestName = 60;

/** Mutes hold on through updates: what they mute may be something else by now, or would be afterwards. */
function FlaggedMutes({ state: { workspaceId }, comparison: { from, to, muted } }: Pick<ChangesPaneProps, 'state' | 'comparison'>) {
  const { openPublications } = useNavigation();
  const { data } = useOperation('mutes.list', { workspaceId });
  const flagged = (data?.mutes ?? []).filter(({ ruleNow, hasExpired }) => !hasExpired && (ruleNow === 'changed' || ruleNow === 'gone'));
  const names = from === to ? flagged.map(({ rule }) => rule) : muted;
  const [first] = names;
  if (first === undefined) return null;
  const words = from === to ? text.mutesFlagged : text.mutesToBe;
  return (
    <p className={styles.flagged}>
      <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>
        <bdi>{words(names.length, visibleText(cutMiddle(first, longestName)))}</bdi>
        <Button size="small" look="inline" onPress={() => openPublications('mutes')}>{text.lookAtMutes(names.length)}</Button>
      </span>
    </p>
  );
}

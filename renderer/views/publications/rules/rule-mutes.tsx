import { VolumeX } from 'lucide-react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { minuteWords } from '../../../components/utc-time.ts';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import styles from './rules.module.css';
import { text } from './text.ts';

/** The source is what one came for: the others are among the mutes. */
const shownAtMost = 2;
/** As many digits as tables show. */
const shortHash = 12;

/** How the rule is muted, and the way to it. */
export function RuleMutes({ workspaceId, mutes }: { workspaceId: string; mutes: readonly Mute[] }) {
  const { openPublications } = useNavigation();
  const [, note] = usePublicationsPlace(workspaceId);
  if (mutes.length === 0) return null;
  const rest = mutes.length - shownAtMost;
  const show = (mute: Mute): void => {
    note({ mute: mute.id });
    openPublications('mutes');
  };
  return (
    <ul className={styles.mutes}>
      {mutes.slice(0, shownAtMost).map((mute) => (
        <li key={mute.id} className={classNames(styles.muteLine, mute.ruleNow === 'changed' && styles.warn)}>
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          <span className={styles.muteWords}>
            {wordsOf(mute)}: <bdi>{visibleText(mute.reason)}</bdi>
          </span>
          <Button size="small" look="inline" onPress={() => show(mute)}>
            {text.showMute}
          </Button>
        </li>
      ))}
      {rest > 0 && <li className={styles.muteLine}>{text.moreMutes(rest)}</li>}
    </ul>
  );
}

function wordsOf({ sample, expires, ruleNow }: Mute): string {
  return [
    sample === null ? text.mutedEverywhere : text.mutedFor(sample.slice(0, shortHash)),
    ...(expires === null ? [] : [text.until(minuteWords(new Date(expires)))]),
    ...(ruleNow === 'changed' ? [text.changedSince] : []),
  ].join(', ');
}

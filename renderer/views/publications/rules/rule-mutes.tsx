import { VolumeX } from 'lucide-react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { Button } from '../../../components/button.tsx';
import { minuteWords } from '../../../components/utc-time.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
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
    <ul className={classNames(layout.bottom, styles.mutes)}>
      {mutes.slice(0, shownAtMost).map((mute) => (
        <li
          key={mute.id}
          className={classNames(
            layout.row8,
            typography.note,
            styles.muteLine,
            mute.ruleNow === 'changed' && styles.warn,
          )}
        >
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          <span className={typography.cut}>
            {wordsOf(mute)}: <bdi>{visibleText(mute.reason)}</bdi>
          </span>
          <Button size="small" look="inline" onPress={() => show(mute)}>
            {text.showMute}
          </Button>
        </li>
      ))}
      {rest > 0 && (
        <li className={classNames(layout.row8, typography.note, styles.muteLine)}>{text.moreMutes(rest)}</li>
      )}
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

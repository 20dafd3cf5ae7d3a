import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { aboutWords, numberWords, sizeWords } from '../../../components/byte-words.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { unseenWords } from '../../../components/hunt-words.ts';
import { minuteWords } from '../../../components/utc-time.ts';
import { classNames } from '../../../styles/class-names.ts';
import typography from '../../../styles/typography.module.css';
import styles from './start.module.css';
import { text } from './text.ts';

const longestVersion = 28;
const longestName = 60;
/** The rest is counted. */
const namesShown = 8;

/** What a hunt would be, before it begins. */
export function HuntFacts({ estimate }: { estimate: HuntEstimate }) {
  const { rules, names, removed, samples, bytes, engine, seconds, total, unseen } = estimate;
  const shown = names.slice(0, namesShown);
  const facts = [
    [text.facts.rules, numberWords(rules)],
    [text.facts.samples, numberWords(samples)],
    [text.facts.bytes, sizeWords(bytes)],
    [text.facts.unseen, text.pairs(unseen.pairs, total.rules * total.samples)],
    [text.facts.time, seconds === null ? text.timeUnknown : text.aboutWith(aboutWords(seconds), engine)],
  ] as const;
  return (
    <>
      {unseen.pairs > 0 && <p>{unseenWords(estimate)}</p>}
      <dl className={styles.facts} data-figures>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {shown.length > 0 && (
        <p
          className={classNames(typography.code, typography.muted, typography.anywhere)}
          aria-label={text.names}
          role="note"
        >
          <bdi>{shown.map((name) => visibleText(cutMiddle(name, longestName))).join(', ')}</bdi>
          {rules > shown.length && <span className={styles.more}> {text.more(rules - shown.length)}</span>}
        </p>
      )}
      {removed.length > 0 && <p>{text.removed(removed.length)}</p>}
      <LastHunt estimate={estimate} />
      {total.samples === 0 && <p role="status">{text.huntEmpty}</p>}
    </>
  );
}

/** When the vault was hunted last, and that of earlier hunts it is not known what they looked at. */
export function LastHunt({ estimate: { against, isFirst } }: { estimate: HuntEstimate }) {
  const words =
    against === null
      ? text.noHunt
      : text.lastHunted(visibleText(cutMiddle(against.version, longestVersion)), minuteWords(new Date(against.hunted)));
  return (
    <>
      <p>
        <bdi>{words}</bdi>
      </p>
      {isFirst && against !== null && <p>{text.firstAfterUpdate}</p>}
    </>
  );
}

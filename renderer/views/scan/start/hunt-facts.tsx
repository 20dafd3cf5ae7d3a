import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { aboutWords, numberWords, sizeWords } from '../../../components/byte-words.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { minuteWords } from '../../../components/utc-time.ts';
import styles from './start.module.css';
import { text } from './text.ts';

const longestVersion = 28;
const longestName = 60;
/** The rest is counted. */
const namesShown = 8;

/** What a hunt would be, before it begins. */
export function HuntFacts({ estimate }: { estimate: HuntEstimate }) {
  const { rules, names, removed, samples, bytes, engine, seconds } = estimate;
  const shown = names.slice(0, namesShown);
  const facts = [
    [text.facts.rules, numberWords(rules)],
    [text.facts.samples, numberWords(samples)],
    [text.facts.bytes, sizeWords(bytes)],
    [text.facts.time, seconds === null ? text.timeUnknown : text.aboutWith(aboutWords(seconds), engine)],
  ] as const;
  return (
    <>
      <dl className={styles.facts} data-figures>{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {shown.length > 0 && (
        <p className={styles.names} aria-label={text.names} role="note">
          <bdi>{shown.map((name) => visibleText(cutMiddle(name, longestName))).join(', ')}</bdi>
          {rules > shown.length && <span className={styles.more}> {text.more(rules - shown.length)}</span>}
        </p>
      )}
      {removed.length > 0 && <p>{text.removed(removed.length)}</p>}
      <p><bdi>{againstWords(estimate)}</bdi></p>
      {samples === 0 && <p role="status">{text.huntEmpty}</p>}
    </>
  );
}

function againstWords({ against }: HuntEstimate): string {
  if (against === null) return text.everyIsNew;
  const version = visibleText(cutMiddle(against.version, longestVersion));
  return against.hunted === null ? text.comparedWith(version) : text.lastHunted(version, minuteWords(new Date(against.hunted)));
}

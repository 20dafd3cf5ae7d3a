import { useState } from 'react';
import { type HashChoice, useLookupDesk } from '../../app/lookup-desk.tsx';
import { Button } from '../../components/button.tsx';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';
import { text } from './text.ts';

const shownAtFirst = 200;

/** Every hash of the text, to choose from; nothing is asked before one is chosen. */
export function FoundHashes({ choice: { found, rejected } }: { choice: HashChoice }) {
  const { choose } = useLookupDesk();
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <div className={styles.body} data-pane>
      <h2 className={styles.subtitle}>{text.chooseTitle(found.length)}</h2>
      <p className={styles.sentence}>{text.chooseSentence}</p>
      <ol className={styles.choices}>
        {found.slice(0, shown).map((hash) => (
          <li key={hash.value}>
            <button type="button" className={styles.choice} onClick={() => choose(hash)}>
              <span className={styles.choiceKind}>{text.kinds[hash.kind]}</span>{' '}
              <code>{hash.value}</code>
            </button>
          </li>
        ))}
      </ol>
      {found.length > shown && <Button size="small" look="quiet" onPress={() => setShown(shown + shownAtFirst)}>{text.moreFound(found.length - shown)}</Button>}
      <RejectedRuns lengths={rejected} />
    </div>
  );
}

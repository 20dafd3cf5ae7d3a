import { type KeyboardEvent, useState } from 'react';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { type HashChoice, useLookupDesk } from '../../app/lookup-desk.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useSettings } from '../../app/use-settings.ts';
import { Button } from '../../components/button.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { focusInList } from './list-keys.ts';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';
import { text } from './text.ts';

const shownAtFirst = 200;
const shownMore = 2_000;

/**
 * Every hash of the text, to choose from; nothing is asked before one is chosen. One tab stop: the arrows move in it.
 */
export function FoundHashes({ choice: { found, rejected } }: { choice: HashChoice }) {
  const { choose, text: asked } = useLookupDesk();
  const { setText } = useBulkDesk();
  const { openRoom } = useNavigation();
  const { values } = useSettings();
  const [shown, setShown] = useState(shownAtFirst);
  const [current, setCurrent] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>): void => {
    if (focusInList(event.currentTarget, event, values.singleLetterKeys)) event.preventDefault();
  };
  const downloadAll = (): void => {
    setText(asked);
    openRoom('bulk-download');
  };
  return (
    <>
      <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
        <div>
          <h2 className={classNames(typography.heading, styles.subtitle)}>{text.chooseTitle(found.length)}</h2>
          <p className={typography.sentence}>{text.chooseSentence}</p>
        </div>
        <RejectedRuns runs={rejected} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the buttons inside */}
        <ol className={styles.choices} onKeyDown={onKeyDown}>
          {found.slice(0, shown).map((hash, index) => (
            <li key={hash.value}>
              <button
                type="button"
                tabIndex={index === current ? 0 : -1}
                className={classNames(layout.row12, styles.choice)}
                onFocus={() => setCurrent(index)}
                onClick={() => choose(hash)}
              >
                <span className={styles.choiceKind}>{text.kinds[hash.kind]}</span> <code>{hash.value}</code>
              </button>
            </li>
          ))}
        </ol>
        {found.length > shown && (
          <div>
            <Button size="small" onPress={() => setShown(shown + shownMore)}>
              {text.moreFound(Math.min(shownMore, found.length - shown), found.length)}
            </Button>
          </div>
        )}
      </div>
      <div className={classNames(layout.bottom, styles.foot)} data-pane>
        <Button onPress={downloadAll}>{text.downloadAll(found.length)}</Button>
      </div>
    </>
  );
}

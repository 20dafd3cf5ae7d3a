import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

/** Runs when asked: it reads the whole chain. */
export function JournalCheck() {
  const { mutate, isPending, data, error } = useAction('journal.verify');
  return (
    <section className={styles.group} aria-labelledby="journal">
      <h3 id="journal" className={styles.groupTitle}>{text.journal}</h3>
      <p className={styles.sentence}>{text.journalSentence}</p>
      <div><Button isDisabled={isPending} onPress={() => mutate({})}>{isPending ? text.verifying : text.verify}</Button></div>
      <div role="status">
        {data?.broken === null && <Notice meaning="ok" title={text.journalHolds(data.rows)}>{text.assurance[data.assurance]}</Notice>}
        {data?.broken && <Notice meaning="bad" title={text.journalBroken(data.broken.number)}>{text.brokenReasons[data.broken.reason]}</Notice>}
      </div>
      {error && <FailureNotice failure={error} retry={{ name: 'journal.verify', input: {} }} onRetry={() => mutate({})} />}
    </section>
  );
}

import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useJournalPlace } from '../../features/journal/journal-place.tsx';
import { text as checkText } from '../../features/journal/strings.ts';
import { useVerifying, VerificationNotice, VerifyButton } from '../../features/journal/verification.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

/** The check of the journal, and the way to it. */
export function JournalCheck() {
  const {
    place: { verification },
  } = useJournalPlace();
  const { openView } = useNavigation();
  const verifying = useVerifying();
  return (
    <section className={styles.group} aria-labelledby="journal">
      <h3 id="journal" className={styles.groupTitle}>
        {text.journal}
      </h3>
      <p className={styles.sentence}>{text.journalSentence}</p>
      <div className={styles.buttons}>
        <VerifyButton verifying={verifying} words={checkText.verify} />
        <Button onPress={() => openView('journal')}>{checkText.open}</Button>
      </div>
      <div role="status">{verification !== null && <VerificationNotice verification={verification} />}</div>
      {verifying.failure && (
        <FailureNotice
          failure={verifying.failure}
          retry={{ name: 'journal.verify', input: {} }}
          onRetry={verifying.begin}
        />
      )}
    </section>
  );
}

import { useJournalPlace } from '../../app/journal/journal-place.tsx';
import { text as checkText } from '../../app/journal/text.ts';
import { VerificationNotice } from '../../app/journal/verification-notice.tsx';
import { useVerifying, VerifyButton } from '../../app/journal/verify-button.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';

/** The check of the journal, and the way to it. */
export function JournalCheck() {
  const {
    place: { verification },
  } = useJournalPlace();
  const { openRoom } = useNavigation();
  const verifying = useVerifying();
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="journal">
      <h3 id="journal" className={styles.groupTitle}>
        {text.journal}
      </h3>
      <p className={typography.sentence}>{text.journalSentence}</p>
      <div className={layout.wrap8}>
        <VerifyButton verifying={verifying} words={checkText.verify} />
        <Button onPress={() => openRoom('journal')}>{checkText.open}</Button>
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

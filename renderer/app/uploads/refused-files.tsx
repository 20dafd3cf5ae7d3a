import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import type { HaltedIntake, RefusedFiles as Refused } from './intake-state.ts';
import styles from './refused-files.module.css';
import { text } from './text.ts';

const longestName = 60;

export interface RefusedFilesProps {
  desk: { refused: Refused; halted: HaltedIntake | null; dismissRefused(): void; dismissHalted(): void };
  /** What it means for what is there already, when it ended before its end. */
  haltedAfter(notTaken: number): string;
}

/** What did not come in: what ended it before its end, and every file that was refused, by name on demand. */
export function RefusedFiles({
  desk: { refused, halted, dismissRefused, dismissHalted },
  haltedAfter,
}: RefusedFilesProps) {
  const [isListed, setListed] = useState(false);
  if (refused.count === 0 && halted === null) return null;
  return (
    <div className={styles.refused}>
      {halted && (
        <FailureNotice
          failure={halted.failure}
          after={haltedAfter(halted.notTaken)}
          action={
            <Button size="small" onPress={dismissHalted}>
              {text.dismiss}
            </Button>
          }
        />
      )}
      {refused.count > 0 && (
        <Notice
          meaning="warn"
          title={text.refusedTitle(refused.count)}
          isAlert
          actions={
            <>
              <Button size="small" aria-expanded={isListed} onPress={() => setListed(!isListed)}>
                {isListed ? text.hideThem : text.listThem}
              </Button>
              <Button size="small" look="quiet" onPress={dismissRefused}>
                {text.dismiss}
              </Button>
            </>
          }
        >
          {text.refusedThen(refused.files.length, refused.count)}
        </Notice>
      )}
      {isListed && refused.count > 0 && (
        // What scrolls has to be reached by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles.refusedList} tabIndex={0} aria-label={text.refusedTitle(refused.count)}>
          {refused.files.map(({ name, failure }, at) => {
            const { what, then } = failureWords(failure);
            // Two files of one name may be refused alike.
            return (
              <li key={at}>
                <SampleName name={name} longest={longestName} />{' '}
                <bdi dir="ltr" className={styles.faint}>{`${what}. ${then}`}</bdi>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/failure.ts';
import { FailureRemedy, meaningOf } from '../../app/failure-remedy.tsx';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { words } from '../../components/words.ts';
import type { ScanAct } from './actions/use-scan.ts';
import styles from './library.module.css';

/** Why the list could not be read, or a scan not begun. */
export function LibraryTold({ failure, scans }: { failure: Failure | null; scans: ScanAct }) {
  const client = useQueryClient();
  const readAgain = (): void => void client.refetchQueries({ queryKey: ['library.list'], type: 'active' });
  if (failure === null && scans.failure === null) return null;
  return (
    <div className={styles.told}>
      {failure !== null && <FailureNotice failure={failure} action={<Button size="small" onPress={readAgain}>{words.tryAgain}</Button>} />}
      {scans.failure !== null && <FailureNotice failure={scans.failure} meaning={meaningOf(scans.failure)} action={<FailureRemedy failure={scans.failure} />} />}
    </div>
  );
}

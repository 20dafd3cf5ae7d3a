import type { Failure } from '../../../shared/failure.ts';
import { FailureRemedy, meaningOf } from '../../app/failure-remedy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import type { ScanAct } from './actions/use-scan.ts';

export interface LibraryToldProps {
  /** Of the list. */
  failure: Failure | null;
  /** Of how large all that was found is. */
  sizeFailure: Failure | null;
  scans: ScanAct;
}

/** Why the list could not be read, or a scan not begun. */
export function LibraryTold({ failure, sizeFailure, scans }: LibraryToldProps) {
  if (failure === null && sizeFailure === null && scans.failure === null) return null;
  return (
    <div className={classNames(layout.inset, layout.fixed)}>
      {failure !== null && <ReadFailure failure={failure} of="library.list" />}
      {sizeFailure !== null && <ReadFailure failure={sizeFailure} of="library.totals" />}
      {scans.failure !== null && (
        <FailureNotice
          failure={scans.failure}
          meaning={meaningOf(scans.failure)}
          action={<FailureRemedy failure={scans.failure} />}
        />
      )}
    </div>
  );
}

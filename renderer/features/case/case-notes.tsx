import type { PreparedCase } from '../../../shared/domain/case.ts';
import { Notice } from '../../components/notice.tsx';
import { text } from './strings.ts';

/** A dialog has no room for more. */
const mostNamed = 3;

/** What of what was asked for a case does not tell. */
export function CaseNotes({ prepared: { samples, unknown, withoutBytes } }: { prepared: PreparedCase }) {
  return (
    <>
      {unknown.count > 0 && (
        <Notice meaning="warn" title={text.notIn(unknown.count, samples + unknown.count)}>
          {text.notInWhich(unknown.hashes.slice(0, mostNamed), unknown.count)}
        </Notice>
      )}
      {withoutBytes > 0 && (
        <Notice meaning="warn" title={text.withoutBytes(withoutBytes)}>
          {text.withoutBytesWhy}
        </Notice>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/value-of.ts';
import { useReadRecords } from '../records/use-read-records.ts';
import { type Strictest, strictestOf } from './strictest-tlp.ts';

const question = 'cases.strictest';

/** How strict samples are, and anew when their records were read. */
export function useStrictest(selection: CaseSelection) {
  const bridge = useBridge();
  useReadRecords(question);
  return useQuery<Strictest, Failure>({
    queryKey: [question, selection],
    queryFn: () => valueOf(strictestOf(bridge, selection)),
    gcTime: 0,
  });
}

import type { ScanEngines, ScanPlan } from '../../../../shared/domain/scan.ts';
import { forbidsThirdParties } from '../../../../shared/domain/tag.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { type NextScan, useNextScan, useScanStore } from '../../../features/scans/scan-store.tsx';
import { useViewStartScan } from '../../../features/scans/start-scan.ts';
import { text } from './text.ts';

export interface Scanning {
  /** undefined until the host has told. */
  plan: ScanPlan | undefined;
  /** Why there is no plan. */
  unread: Failure | null;
  chosen: NextScan;
  note(change: Partial<NextScan>): void;
  /** As chosen, as far as there is a rule editor. */
  engines: ScanEngines;
  /** In words; null: it can begin. */
  obstacle: string | null;
  failure: Failure | null;
  scan(): void;
}

/** What is chosen, and the step that scans it. */
export function useScanning(workspaceId: string): Scanning {
  const { data: plan, error } = useOperation('scans.plan', { workspaceId, isAhead: true });
  const { intake, next } = useScanStore();
  const [chosen, note] = useNextScan(workspaceId);
  const { start, isStarting, failure } = useViewStartScan('scans.start', workspaceId);
  const engines = plan?.service === null ? 'local' : chosen.engines;
  const { files, samples, tlp } = chosen;
  const obstacle = isStarting
    ? text.starting
    : intake !== null
      ? text.cannotScan.coming
      : obstacleTo(chosen, engines, plan);
  const scan = (): void => {
    if (obstacle !== null) return;
    // What was scanned is not what is scanned next.
    start(
      {
        workspaceId,
        engines,
        files: files.map(({ id }) => ({ id })),
        samples: [...samples],
        tlp: files.length === 0 ? null : tlp,
      },
      () => next.takeOut(workspaceId, chosen),
    );
  };
  return { plan, unread: error, chosen, note, engines, obstacle, failure, scan };
}

function obstacleTo(
  { files, samples, tlp }: NextScan,
  engines: ScanEngines,
  plan: ScanPlan | undefined,
): string | null {
  if (files.length === 0 && samples.size === 0) return text.cannotScan.nothing;
  if (engines !== 'service' && plan?.package === null) return text.cannotScan.noPackage;
  const staysHere = engines === 'service' && plan?.service?.isHere === false && forbidsThirdParties(tlp);
  return staysHere && samples.size === 0 ? text.cannotScan.closed : null;
}

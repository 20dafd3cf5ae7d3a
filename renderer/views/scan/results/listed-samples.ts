import type { ScanFilter } from '../../../../shared/domain/scan.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { mostSamples } from '../../../features/scans/scan-store.tsx';

const atOnce = 1000;

/** The samples that are listed, some more than one scan takes at most. */
export async function listedSamples(
  bridge: Bridge<File>,
  jobId: number,
  filter: ScanFilter,
): Promise<Result<string[]>> {
  const found: string[] = [];
  for (let offset = 0; found.length <= mostSamples; offset += atOnce) {
    const answer = await bridge.call('scans.groups', { jobId, by: 'file', filter, offset, limit: atOnce });
    if (!answer.ok) return answer;
    found.push(...answer.value.groups.flatMap((group) => (group.by === 'file' ? [group.sha256] : [])));
    if (offset + atOnce >= answer.value.total || answer.value.groups.length === 0) break;
  }
  return success([...new Set(found)]);
}

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mostBytesARead } from '../../../../shared/domain/byte-view.ts';
import type { CellSample } from '../cell-sample.ts';
import type { FaultHost } from '../fault-host.ts';
import { must } from './act.ts';

/** How many of the samples the vault has. Rejects when it has other bytes for one of them than the service. */
export async function inVault(vitrine: FaultHost, samples: readonly CellSample[]): Promise<string> {
  const found = await Promise.all(samples.map((sample) => isInVault(vitrine, sample)));
  const count = found.filter(Boolean).length;
  return count === 0 ? 'nothing' : `${count} of ${samples.length} in the vault`;
}

async function isInVault(vitrine: FaultHost, { md5, sha256, bytes }: CellSample): Promise<boolean> {
  const { total } = await vitrine.call('samples.inVault', { find: md5, offset: 0, limit: 10 });
  if (total === 0) return false;
  const digest = createHash('sha256');
  let [offset, isMore] = [0, true];
  while (isMore) {
    const { base64, sizeBytes } = await vitrine.call('bytes.read', {
      source: { kind: 'vault', sha256 },
      window: { offset, length: mostBytesARead },
    });
    const read = Buffer.from(base64, 'base64');
    digest.update(read);
    offset += read.length;
    isMore = read.length > 0 && offset < sizeBytes;
  }
  must(
    total === 1 && offset === bytes.length && digest.digest('hex') === sha256,
    `the vault has other bytes for ${md5}`,
  );
  return true;
}

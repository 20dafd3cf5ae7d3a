import type { BundledSample } from '../../../shared/domain/bundle.ts';
import { fail } from '../../../shared/failure.ts';
import type { BundleReading } from '../../archive/bundle/bundle-opening.ts';
import type { BundleManifest } from '../../archive/bundle/bundle-records.ts';
import { fingerprintOf } from '../../archive/bundle/bundle-signature.ts';
import type { BundlePreview } from '../../storage/bundle-preview.ts';
import type { Looked, ReadingOrder } from './bundle-reading-messages.ts';
import { ShownNowAndThen } from './shown-now-and-then.ts';

/** Reads a bundle to its end, and counts what it would change here. @throws FailureError as the reading does */
export async function lookThrough(
  reading: BundleReading,
  { passphrase, name }: Pick<ReadingOrder, 'passphrase' | 'name'>,
  { preview, shown }: { preview: BundlePreview; shown(): void },
): Promise<Looked> {
  const borders: Buffer[] = [];
  const showing = new ShownNowAndThen(reading, shown);
  let manifest: BundleManifest | null = null;
  let sample: BundledSample | null = null;
  for await (const part of reading.parts({ passphrase, name })) {
    showing.now();
    if (part.kind === 'manifest') manifest = part.manifest;
    if (part.kind === 'border') borders.push(part.digest);
    if (part.kind === 'bytes-end' && part.isWhole && sample !== null) preview.bytes(sample);
    if (part.kind === 'rules') {
      sample = null;
      preview.rules(part.rules);
    }
    if (part.kind === 'sample') {
      ({ sample } = part);
      preview.sample(part.sample, part.records, part.hasBytes);
    }
    if (part.kind === 'end' && manifest !== null) {
      const { created, title, parts, author, publicKey } = manifest;
      return {
        facts: {
          created,
          title,
          parts,
          ...part.counts,
          changes: preview.changes,
          workspaces: preview.workspaces.map(({ changes }) => changes),
        },
        signer: { fingerprint: fingerprintOf(publicKey), name: author },
        borders: Buffer.concat(borders),
      };
    }
  }
  return fail({ kind: 'bundle-damaged', atByte: 0 });
}

import { setImmediate as breathe } from 'node:timers/promises';
import { fail } from '../../../shared/failure.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import { encodingOf, utf8OfLatin1 } from '../../rules/rule-encoding.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import type { FoundPackage, PackageRow } from '../../storage/packages/package-store.ts';
import { packageBytesAtMost } from './package-limits.ts';
import { type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';

/**
 * What is longer would keep the host from its other work while it is converted; no file of rules that a person writes
 * is.
 */
const convertedAtMost = 2 * 2 ** 20;

/**
 * A package that is here once more, with its files of Latin-1 and of unmarked UTF-16 as UTF-8. It is another package:
 * its bytes are others.
 * @throws FailureError what opening it throws, and `package-unreadable` where nothing in it is to be converted
 */
export async function convertPackage(
  options: PackageOpeningOptions,
  workspaceId: string,
  row: PackageRow,
  watch: OpeningWatch,
): Promise<FoundPackage> {
  const { sha256, version, group, published, source, remoteId, fileName = null } = row;
  watch.onProgress({ phase: 'opening', done: 0, total: null });
  const { files, refused, reading } = await options.rules.open(workspaceId, sha256, {
    signal: watch.signal,
    readsUnmarked: true,
  });
  if (reading.latin1 + reading.utf16Unmarked === 0)
    fail({
      kind: 'package-unreadable',
      sha256,
      text: 'It has no Latin-1 files, and no UTF-16 files without a byte order mark.',
    });
  const received = await options.packages.receive(workspaceId, writePlainZip(members(files, watch.signal)), {
    atMostBytes: packageBytesAtMost,
  });
  const origin = {
    source,
    remoteId,
    version,
    fileName,
    manifest: { version, group, published, files: [] },
    beside: { leftOut: reading.leftOut, links: reading.links, unread: [...refused] },
  };
  return openReceived(options, workspaceId, received, origin, watch);
}

async function* members(
  files: readonly RuleFile[],
  signal: AbortSignal,
): AsyncGenerator<{ name: string; sizeBytes: number; open(): Uint8Array[] }, void, void> {
  for (const { path, bytes } of files) {
    signal.throwIfAborted();
    const converted = bytes.length <= convertedAtMost && encodingOf(bytes) === 'latin1' ? utf8OfLatin1(bytes) : bytes;
    yield { name: path, sizeBytes: converted.length, open: () => [converted] };
    await breathe();
  }
}

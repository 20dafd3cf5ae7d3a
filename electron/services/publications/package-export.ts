import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportResult } from '../../../shared/domain/export.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { DifferenceRow } from '../../../shared/domain/publication.ts';
import type { DifferenceFormat } from '../../../shared/domain/rule-review.ts';
import { fail } from '../../../shared/failure.ts';
import { withOutcome } from '../../archive/byte-source.ts';
import type { ZipProtection } from '../../archive/encryption/zip-encryption.ts';
import type { NotedFiles } from '../../archive/export/export-file.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import type { RuleFile } from '../../rules/package-files.ts';
import { encodingOf, utf8OfLatin1 } from '../../rules/rule-encoding.ts';
import type { PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { FoundPackage } from '../../storage/packages/package-table.ts';
import type { Packages } from '../../vault/packages.ts';
import { packageBytesAtMost } from './opened-package.ts';
import { type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';
import type { PackageReading } from './package-reading.ts';

export interface PackageExportOptions {
  packages: Packages;
  store: Pick<PackageStore, 'noteExport'>;
  /** Writes what goes into a folder. */
  files: Pick<NotedFiles, 'write'>;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
}

export interface PackageExportRequest extends ZipProtection {
  workspaceId: string;
  to: 'folder' | 'browser';
}

/**
 * A package leaves as it was received, in a password ZIP: scanners eat rules too. Beside it is its name and version,
 * for the Vitrine that imports it.
 *
 * @throws FailureError `password-empty`, `no-export-folder`, `vault-damaged`, and what the disk throws
 */
export async function exportPackage(
  { packages, store, files, offer }: PackageExportOptions,
  row: PackageRow,
  request: PackageExportRequest,
  folder: string | null,
): Promise<ExportResult> {
  const { workspaceId, to, encryption, password } = request;
  const members = writeSampleZip([packageMember(packages, workspaceId, row), manifestMember(row)], {
    encryption,
    password,
  });
  const zip = withOutcome(members, (outcome) => store.noteExport(workspaceId, row, { outcome, to, encryption }));
  const fileName = fileNameOf(row);
  if (to === 'browser') return offer({ fileName, sizeBytes: null, open: () => zip });
  return { kind: 'folder', ...(await files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, zip)) };
}

const packageMember = (packages: Packages, workspaceId: string, { sha256, sizeBytes }: PackageRow): ZipMember => ({
  name: sha256,
  sizeBytes,
  open: () => packages.read(workspaceId, sha256),
});

function manifestMember({ version, group, published, sha256, sizeBytes }: PackageRow): ZipMember {
  const manifest: PackageManifest = { version, group, published, files: [{ path: sha256, sha256, sizeBytes }] };
  const bytes = Buffer.from(JSON.stringify(manifest, null, 2));
  return { name: manifestName, sizeBytes: bytes.length, open: () => [bytes] };
}

/** A version is a service's text: what no file name should hold is left out of it. */
function fileNameOf({ version, group, sha256 }: PackageRow): string {
  const words = [group, version].flatMap((word) => word?.replaceAll(/[^A-Za-z0-9._-]/g, '').slice(0, 60) || []);
  return `rules-${[...words, sha256.slice(0, 12)].join('-')}.zip`;
}

export interface DifferenceExportRequest extends PackageExportRequest {
  from: string | null;
  sha256: string;
  format: DifferenceFormat;
}

interface DifferenceExportOptions extends Pick<PackageExportOptions, 'store' | 'files' | 'offer'> {
  reading: Pick<PackageReading, 'patch' | 'difference'>;
}

interface Rows {
  from: PackageRow | null;
  to: PackageRow;
}

const rowsAtOnce = 1000;
/** No name of a service's is in the archive. */
const memberNames: Readonly<Record<DifferenceFormat, string>> = { patch: 'difference.patch', json: 'difference.json' };

function requireMemberName(name: string): void {
  if (!Object.values(memberNames).includes(name)) throw new TypeError('a difference is named by its format');
}

/**
 * The difference of two packages leaves in a password ZIP: a patch is rule text, which scanners eat. @throws
 * FailureError `password-empty`, `no-export-folder`, what the disk throws, and why a package cannot be opened
 */
export async function exportDifference(
  { reading, store, files, offer }: DifferenceExportOptions,
  rows: Rows,
  request: DifferenceExportRequest,
  folder: string | null,
): Promise<ExportResult> {
  const { workspaceId, to, format, encryption, password } = request;
  const bytes = format === 'patch' ? await patchOf(reading, request) : await jsonOf(reading, rows, request);
  const name = nameOf(rows);
  const members = writeSampleZip(
    [{ name: memberNames[format], sizeBytes: bytes.length, open: () => [bytes] }],
    { encryption, password },
    undefined,
    requireMemberName,
  );
  const zip = withOutcome(members, (outcome) =>
    store.noteExport(workspaceId, rows.to, { outcome, to, encryption, difference: format }),
  );
  const fileName = `${name}.zip`;
  if (to === 'browser') return offer({ fileName, sizeBytes: null, open: () => zip });
  return { kind: 'folder', ...(await files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, zip)) };
}

async function patchOf(
  reading: DifferenceExportOptions['reading'],
  { workspaceId, from, sha256 }: DifferenceExportRequest,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at: number | null = 0; at !== null;) {
    const { text, next }: { text: string; next: number | null } = await reading.patch(workspaceId, from, sha256, at);
    parts.push(Buffer.from(text));
    at = next;
  }
  return Buffer.concat(parts);
}

async function jsonOf(
  reading: DifferenceExportOptions['reading'],
  { from, to }: Rows,
  request: DifferenceExportRequest,
): Promise<Buffer> {
  const rules: DifferenceRow[] = [];
  for (;;) {
    const { counts, rows, total } = await reading.difference(request.workspaceId, request.from, request.sha256, {
      offset: rules.length,
      limit: rowsAtOnce,
    });
    rules.push(...rows);
    if (rows.length > 0 && rules.length < total) continue;
    const known = { from: from && factsOf(from), to: factsOf(to), counts, rules };
    return Buffer.from(`${JSON.stringify(known, null, 2)}\n`);
  }
}

const factsOf = ({ version, group, sha256 }: PackageRow): object => ({ version, group, sha256 });

/** Versions are a service's text: what no file name should hold is left out of them. */
function nameOf({ from, to }: Rows): string {
  const word = ({ version, sha256 }: PackageRow): string =>
    version.replaceAll(/[^A-Za-z0-9._-]/g, '').slice(0, 60) || sha256.slice(0, 12);
  return `rules-${[...(from === null ? [] : [word(from)]), word(to)].join('-to-')}`;
}

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
  const received = await options.packages.receive(workspaceId, writePlainZip(convertedMembers(files, watch.signal)), {
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

async function* convertedMembers(
  files: readonly RuleFile[],
  signal: AbortSignal,
): AsyncGenerator<{ name: string; sizeBytes: number; open(): Uint8Array[] }, void, void> {
  for (const { path, bytes } of files) {
    signal.throwIfAborted();
    const converted = bytes.length <= convertedAtMost && encodingOf(bytes) === 'latin1' ? utf8OfLatin1(bytes) : bytes;
    yield { name: path, sizeBytes: converted.length, open: () => [converted] };
    await nextTurn();
  }
}

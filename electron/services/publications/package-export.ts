import type { ExportResult } from '../../../shared/domain/export.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import { fail } from '../../../shared/failure.ts';
import type { ZipProtection } from '../../archive/encryption/zip-encryption.ts';
import type { NotedFiles } from '../../archive/export/noted-files.ts';
import { toldAfter } from '../../archive/export/told-after.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { ZipMember } from '../../archive/writing/zip-member.ts';
import type { PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';

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
 * A package leaves as it was received, in a password ZIP: scanners eat rules too. Beside it lies what it is called, for
 * the desk that takes it in. @throws FailureError `password-empty`, `no-export-folder`, `vault-damaged`, and what the
 * disk throws
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
  const zip = toldAfter(members, (outcome) => store.noteExport(workspaceId, row, { outcome, to, encryption }));
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

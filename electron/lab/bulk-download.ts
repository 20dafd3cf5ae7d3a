import { writePlainZip } from '../archive/writing/plain-zip.ts';
import type { Action } from './action.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import type { MetadataStore, StoredFile } from './metadata-store.ts';
import { md5List } from './request-query.ts';
import { requireOpenTo } from './restricted-files.ts';
import { sendChunks } from './send-chunks.ts';

const zipHeaders = { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="samples.zip"' };

/**
 * `files[]` → a ZIP with an entry for each, named by its MD5, in the order asked. One unknown or restricted MD5 refuses
 * all of them, before any byte. How many fit is limited by the length of the address.
 */
export function bulkDownload({ metadata, blobs }: { metadata: MetadataStore; blobs: BlobStore }): Action {
  return {
    method: 'GET',
    right: 'download',
    answer: async ({ lists, caller, response }) => {
      const files = await knownFiles(metadata, md5List(lists, 'files'));
      requireOpenTo(caller.rights, ...files);
      const members = files.map(({ md5, sha256, sizeBytes }) => ({
        name: md5,
        sizeBytes,
        open: () => blobs.read(sha256),
      }));
      await sendChunks(response, 200, zipHeaders, writePlainZip(members));
    },
  };
}

async function knownFiles(metadata: MetadataStore, md5s: readonly string[]): Promise<StoredFile[]> {
  const found = await metadata.filesByMd5(md5s);
  const known = found.filter((file) => file !== null);
  if (known.length < found.length) throw new LabError('unknown-file', 'No file has any of these MD5s.');
  return known;
}

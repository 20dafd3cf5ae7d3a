import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Action } from './action.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import type { MetadataStore, StoredPublication } from './metadata-store.ts';
import { encryptedPackage } from './package-archive.ts';
import type { PackagePassword } from './package-password.ts';
import type { PublicationLink, PublicationLinks } from './publication-links.ts';
import { readFlag } from './read-flag.ts';
import { sendChunks } from './send-chunks.ts';

/**
 * `id`, `public_link` and `encrypted` → 302 to a link that needs no token and lives a minute. Errors are plain text.
 */
export function downloadPublication(
  metadata: MetadataStore,
  links: PublicationLinks,
  password: PackagePassword,
): Action {
  return {
    method: 'GET',
    right: 'download',
    refusals: 'text',
    answer: async ({ parameters, response }) => {
      const isPublic = readFlag(parameters.get('public_link') ?? 'false', 'public_link');
      const isEncrypted = readFlag(parameters.get('encrypted') ?? 'false', 'encrypted');
      const publication = await knownPublication(metadata, parameters.get('id'));
      if (isEncrypted && password.current === null) throw notConfigured();
      response.writeHead(302, { Location: links.add({ publication, isPublic, isEncrypted }), 'Content-Length': 0 });
      response.end();
    },
  };
}

async function knownPublication(metadata: MetadataStore, id: string | undefined): Promise<StoredPublication> {
  if (!id) throw new LabError('missing-parameter', 'The parameter "id" is missing.');
  const publication = await metadata.publication(id);
  if (publication === null) throw new LabError('unknown-publication', 'No publication has this id.');
  return publication;
}

const notConfigured = (): LabError =>
  new LabError('encryption-not-configured', 'Encrypted packages are not configured on this server');

/** What a link leads to: the ZIP as it was published, or an encrypted one of the same members. */
export async function sendLinked(
  blobs: BlobStore,
  { publication, isPublic, isEncrypted }: PublicationLink,
  password: PackagePassword,
  response: ServerResponse,
): Promise<void> {
  const headers: OutgoingHttpHeaders = {
    'Content-Type': isPublic ? 'application/octet-stream' : 'application/zip',
    'Content-Disposition': `attachment; filename="rules-${publication.version}${isPublic ? '' : '.zip'}"`,
  };
  const zip = blobs.read(publication.sha256);
  if (!isEncrypted) return sendChunks(response, 200, { ...headers, 'Content-Length': publication.sizeBytes }, zip);
  if (password.current === null) throw notConfigured();
  await sendChunks(response, 200, headers, encryptedPackage(zip, password.current));
}

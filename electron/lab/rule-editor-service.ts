import { createHash, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { labPublication } from '../../shared/domain/lab.ts';
import { type Action, sendChunks, sendJson, type Service } from './action.ts';
import { LabError } from './errors.ts';
import { readFlag } from './form-fields.ts';
import { encryptedPackage } from './package-archive.ts';
import { publish } from './publisher.ts';
import { type FileScanner, scanFile } from './scan-file.ts';
import type { LinkAt } from './server.ts';
import type { BlobStore, Stores } from './stores/blob-store.ts';
import type { MetadataStore, PublicationLink, StoredPublication } from './stores/metadata-store.ts';

export interface RuleEditor {
  service: Service;
  /** Where `downloadpublication` leads. */
  linkAt: LinkAt;
}

/** `fileBytes`: of a file to scan at most. */
export function ruleEditor(
  stores: Stores,
  password: PackagePassword,
  scanner: FileScanner,
  fileBytes: number,
): RuleEditor {
  const service = new Map([
    ['checkpackageversion', checkPackageVersion(stores.metadata)],
    ['downloadpublication', downloadPublication(stores.metadata, password)],
    ['publications', publications(stores.metadata)],
    ['publish', publish(stores)],
    ['scanfile', scanFile(stores.metadata, scanner, { fileBytes })],
  ]);
  const linkAt: LinkAt = async (path) => {
    if (!path.startsWith(folder)) return null;
    const link = await stores.metadata.linkAt(digestOf(path));
    return link === null ? null : (response: ServerResponse) => sendLinked(stores.blobs, link, password, response);
  };
  return { service, linkAt };
}

/** `{"publications": [{id, version, group, published, files, rules}]}`, newest first. */
function publications(metadata: MetadataStore): Action {
  return {
    method: 'GET',
    right: 'publish',
    answer: async ({ response }) => {
      const all = await metadata.publications();
      sendJson(response, 200, { publications: all.map((stored) => labPublication.parse(stored)) });
    },
  };
}

/**
 * `version` and `beta` → `{"outdated", "last_version", "id", "group"}`; with `beta` publications of the group Test
 * count too.
 */
export function checkPackageVersion(metadata: MetadataStore): Action {
  return {
    method: 'GET',
    right: 'read',
    answer: async ({ parameters, response }) => {
      const version = parameters.get('version');
      if (!version) throw new LabError('missing-parameter', 'The parameter "version" is missing.');
      const withTest = readFlag(parameters.get('beta') ?? 'false', 'beta');
      sendJson(response, 200, answerTo(version, withTest, await metadata.publications()));
    },
  };
}

/** `stored` are the newest first. An unknown version is an old one. */
function answerTo(version: string, withTest: boolean, stored: readonly StoredPublication[]) {
  const place = stored.findIndex(({ group }) => withTest || group === 'Release');
  const last = stored[place];
  if (last === undefined) return { outdated: false, last_version: null, id: null, group: null };
  const held = stored.findIndex((publication) => publication.version === version);
  return { outdated: held === -1 || held > place, last_version: last.version, id: last.id, group: last.group };
}

/**
 * `id`, `public_link` and `encrypted` → 302 to a link that needs no token and lives a minute. Errors are plain text.
 */
function downloadPublication(metadata: MetadataStore, password: PackagePassword): Action {
  return {
    method: 'GET',
    right: 'download',
    refusals: 'text',
    answer: async ({ parameters, response, record }) => {
      const isPublic = readFlag(parameters.get('public_link') ?? 'false', 'public_link');
      const isEncrypted = readFlag(parameters.get('encrypted') ?? 'false', 'encrypted');
      const publication = await knownPublication(metadata, parameters.get('id'));
      if (isEncrypted && password.current === null) throw notConfigured();
      await record([publication.version]);
      const path = newPath(isPublic);
      const digest = digestOf(path);
      await metadata.addLink({ digest, publication: publication.id, isPublic, isEncrypted, seconds: liveSeconds });
      response.writeHead(302, { Location: path, 'Content-Length': 0 });
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
async function sendLinked(
  blobs: BlobStore,
  { publication, isPublic, isEncrypted }: PublicationLink,
  password: PackagePassword,
  response: ServerResponse,
): Promise<void> {
  const headers: OutgoingHttpHeaders = {
    'Content-Type': isPublic ? 'application/octet-stream' : 'application/zip',
    'Content-Disposition': `attachment; filename="rules-${publication.version}${isPublic ? '' : '.zip'}"`,
  };
  const zip = blobs.read(publication);
  if (!isEncrypted) return sendChunks(response, 200, { ...headers, 'Content-Length': publication.sizeBytes }, zip);
  if (password.current === null) throw notConfigured();
  await sendChunks(response, 200, headers, encryptedPackage(zip, password.current));
}

const folder = '/rules/publication/';
/** How long a link to a package works, without a token and however often it is used. */
const liveSeconds = 60;

/** A path that cannot be guessed: 128 random bits. That of a public link does not show that it leads to a ZIP. */
const newPath = (isPublic: boolean): string => `${folder}${randomBytes(16).toString('hex')}${isPublic ? '' : '.zip'}`;

const digestOf = (path: string): string => createHash('sha256').update(path).digest('hex');

/** The password that encrypted packages are made with. It is in memory only; null: none are made. */
export class PackagePassword {
  current: string | null;

  constructor(password: string | null) {
    this.current = password;
  }
}

import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { labPublication } from '../../shared/domain/lab.ts';
import { type Action, sendChunks, sendJson, type Service } from './action.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import { readFlag } from './form-fields.ts';
import type { MetadataStore, StoredPublication } from './metadata-store.ts';
import { encryptedPackage } from './package-archive.ts';
import { PublicationScanner } from './publication-scanner.ts';
import { publish } from './publisher.ts';
import { type LabScanLimits, scanFile, type ScanPorts } from './scan-file.ts';
import type { LinkAt } from './server.ts';

export interface RuleEditor {
  service: Service;
  /** Where `downloadpublication` leads. */
  linkAt: LinkAt;
  /** Scans that run are given up. */
  close(): Promise<void>;
}

export function ruleEditor(
  stores: { metadata: MetadataStore; blobs: BlobStore },
  password: PackagePassword,
  scanLimits: LabScanLimits,
): RuleEditor {
  const links = new PublicationLinks();
  const openScanner: ScanPorts['openScanner'] = (publication, options) =>
    PublicationScanner.open(stores.blobs, publication, options);
  const scanning = scanFile({ metadata: stores.metadata, openScanner }, scanLimits);
  const service = new Map([
    ['checkpackageversion', checkPackageVersion(stores.metadata)],
    ['downloadpublication', downloadPublication(stores.metadata, links, password)],
    ['publications', publications(stores.metadata)],
    ['publish', publish(stores)],
    ['scanfile', scanning.action],
  ]);
  const linkAt: LinkAt = (path) => {
    const link = links.at(path);
    return link === null ? null : (response: ServerResponse) => sendLinked(stores.blobs, link, password, response);
  };
  return { service, linkAt, close: scanning.close };
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
function downloadPublication(metadata: MetadataStore, links: PublicationLinks, password: PackagePassword): Action {
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
  const zip = blobs.read(publication.sha256);
  if (!isEncrypted) return sendChunks(response, 200, { ...headers, 'Content-Length': publication.sizeBytes }, zip);
  if (password.current === null) throw notConfigured();
  await sendChunks(response, 200, headers, encryptedPackage(zip, password.current));
}

/** A package as it was requested. */
interface PublicationLink {
  publication: StoredPublication;
  /** Its name does not show that it is a ZIP. */
  isPublic: boolean;
  isEncrypted: boolean;
}

const folder = '/rules/publication/';
const liveMs = 60_000;
/** When there are more, the oldest ends early. */
const liveAtMost = 1_000;

/** Paths that lead to a package without a token, for a minute each. They cannot be guessed: 128 random bits. */
export class PublicationLinks {
  readonly #live = new Map<string, PublicationLink & { endsAt: number }>();
  readonly #now: () => number;

  /** `now` in milliseconds, of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(link: PublicationLink): string {
    this.#forget();
    const path = `${folder}${randomBytes(16).toString('hex')}${link.isPublic ? '' : '.zip'}`;
    this.#live.set(path, { ...link, endsAt: this.#now() + liveMs });
    return path;
  }

  at(path: string): PublicationLink | null {
    const link = this.#live.get(path);
    return link === undefined || link.endsAt <= this.#now() ? null : link;
  }

  /** Removes expired paths, which are the oldest, and as many more as one new path needs. */
  #forget(): void {
    for (const [path, { endsAt }] of this.#live) {
      if (endsAt > this.#now() && this.#live.size < liveAtMost) return;
      this.#live.delete(path);
    }
  }
}

/** The password that encrypted packages are made with. It is in memory only; null: none are made. */
export class PackagePassword {
  current: string | null;

  constructor(password: string | null) {
    this.current = password;
  }
}

import type { ServerResponse } from 'node:http';
import { labPublication } from '../../shared/domain/lab.ts';
import type { Action, Service } from './action.ts';
import type { BlobStore } from './blob-store.ts';
import { checkPackageVersion } from './check-package-version.ts';
import { downloadPublication, sendLinked } from './download-publication.ts';
import type { MetadataStore } from './metadata-store.ts';
import type { PackagePassword } from './package-password.ts';
import { PublicationLinks } from './publication-links.ts';
import { PublicationScanner } from './publication-scanner.ts';
import { publish } from './publish.ts';
import { scanFile, type ScanPorts } from './scan-file.ts';
import type { LabScanLimits } from './scan-limits.ts';
import { sendJson } from './send-json.ts';
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

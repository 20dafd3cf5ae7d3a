import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { expect, vi } from 'vitest';
import type { Download } from '../../../shared/domain/sample.ts';
import { EventHub } from '../../event-hub.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';
import { DamageNotes } from '../damage-notes.ts';
import { Downloads } from '../downloads/downloads.ts';
import { Exports } from '../exports/exports.ts';
import { Samples, type SamplesOptions } from '../samples.ts';
import { openTestData } from './test-data.fixture.ts';
import { connectTo, listenLocally } from './test-host.fixture.ts';

/** The services over real stores and a real vault, and a repository the test decides. No lab, no transport. */
export interface TestServices {
  folder: string;
  stores: Stores;
  vault: Vault;
  samples: Samples;
  downloads: Downloads;
  exports: Exports;
  /** Downloads from the repository and waits for the end. */
  download(md5: string): Promise<Download>;
  /** The journal's entries for a hash, oldest first: `download done`. */
  journalOf(hash: string): string[];
  close(): Promise<void>;
}

export async function createTestServices(
  repository: RequestListener,
  md5AtServer: SamplesOptions['md5AtServer'] = async () => null,
): Promise<TestServices> {
  const server = createServer(repository);
  const baseUrl = await listenLocally(server);
  const { base: folder, stores, vault, close } = await openTestData();
  const events = new EventHub();
  const connect = connectTo(baseUrl);
  const { library } = stores;
  const damage = new DamageNotes(library);
  vault.onDamage((sha256, how) => damage.note(sha256, how));
  const platform = { keepAwake: () => () => {} };
  const downloads = new Downloads({
    connect,
    vault,
    library,
    events,
    platform,
    makePreviews: async () => {},
    logDefect: (_id, _operation, error) => expect.fail(String(error)),
  });
  return {
    folder,
    stores,
    vault,
    downloads,
    samples: new Samples({
      connect,
      library,
      libraryReader: stores.libraryReader,
      scans: stores.scans,
      scanReader: stores.scanReader,
      lastScan: (id, sha256) => stores.coverage.lastScan(id, sha256),
      md5AtServer,
    }),
    exports: new Exports({ vault, library, notes: stores.fileNotes }),
    download: (md5) => ended(downloads, downloads.start(team, md5).id),
    journalOf: (hash) =>
      library
        .history(hash)
        .map(({ operation, outcome }) => `${operation} ${outcome}`)
        .toReversed(),
    close: async () => {
      server.close().closeAllConnections();
      await downloads.close();
      await close();
    },
  };
}

export const team = 'team';

export function ended(downloads: Downloads, id: string): Promise<Download> {
  return vi.waitFor(
    () => {
      const download = downloads.list().find((one) => one.id === id) ?? expect.fail('the download is gone');
      expect(download.state).not.toMatch(/waiting|receiving/);
      return download;
    },
    { timeout: 10_000 },
  );
}

/** A repository that has these bytes and reports so. */
export const repositoryOf =
  (bytes: Uint8Array): RequestListener =>
  (request, response) => {
    const isRecord = request.url?.includes('action=getfile') ?? false;
    response.end(
      isRecord ? JSON.stringify({ file: { md5: digest('md5', bytes), sha256: digest('sha256', bytes) } }) : bytes,
    );
  };

export const digest = (name: 'md5' | 'sha256', bytes: Uint8Array): string =>
  createHash(name).update(bytes).digest('hex');

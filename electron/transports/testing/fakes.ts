import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Download } from '../../../shared/domain/sample.ts';
import type { StagedFile } from '../../../shared/domain/upload.ts';
import { fail } from '../../../shared/failure.ts';
import { createDispatcher, type DefectLog, type Dispatch } from '../../dispatcher.ts';
import { EventHub, type HostEvent } from '../../event-hub.ts';
import type { ExportDownload, ExportsPort, StagingPort } from '../ports.ts';
import { partialHandlers } from './partial-handlers.ts';

/** What a defect must never carry over a boundary. */
export const innerDetail = 'secret-detail-of-a-defect';

export interface Defect {
  id: string;
  operation: string;
  error: unknown;
}

/**
 * The host behind a transport: a few handlers over the real dispatcher, and fakes of its services that remember their
 * calls.
 */
export interface Fakes {
  events: CountingEventHub;
  staging: MemoryStaging;
  exports: MemoryExports;
  dispatch: Dispatch;
  logDefect: DefectLog;
  defects: Defect[];
  /** Names of the operations that reached a handler. */
  carriedOut: string[];
}

export function openFakes(): Fakes {
  const defects: Defect[] = [];
  const carriedOut: string[] = [];
  const logDefect: DefectLog = (id, operation, error) => void defects.push({ id, operation, error });
  const handlers = partialHandlers({
    'library.count': async () => {
      carriedOut.push('library.count');
      return { samples: 3, inVault: 2, vaultBytes: 1024 };
    },
    'downloads.cancel': async ({ id }) => fail({ kind: 'staged-file-missing', id }),
    'lab.sampleFiles': async () => {
      throw new Error(innerDetail);
    },
  });
  const dispatch = createDispatcher(handlers, logDefect);
  return {
    events: new CountingEventHub(),
    staging: new MemoryStaging(),
    exports: new MemoryExports(),
    dispatch,
    logDefect,
    defects,
    carriedOut,
  };
}

/** Knows how many pages listen. */
class CountingEventHub extends EventHub {
  listeners = 0;

  override subscribe(listener: (event: HostEvent) => void): () => void {
    this.listeners += 1;
    const remove = super.subscribe(listener);
    return () => {
      this.listeners -= 1;
      remove();
    };
  }
}

class MemoryStaging implements StagingPort {
  readonly staged = new Map<string, { name: string; sha256: string; chunks: number }>();
  /** Names of uploads whose first bytes are there. */
  readonly begun: string[] = [];
  /** Names of uploads that broke off. */
  readonly dropped: string[] = [];

  async stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const hash = createHash('sha256');
    let [sizeBytes, chunks] = [0, 0];
    try {
      for await (const chunk of bytes) {
        if (chunks === 0) this.begun.push(name);
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        chunks += 1;
      }
    } catch (error) {
      this.dropped.push(name);
      throw error;
    }
    const id = randomBytes(16).toString('hex');
    this.staged.set(id, { name, sha256: hash.digest('hex'), chunks });
    return { id, name, sizeBytes };
  }

  stagePath(path: string): Promise<StagedFile> {
    return this.stageStream(basename(path), createReadStream(path));
  }
}

class MemoryExports implements ExportsPort {
  readonly #prepared = new Map<string, ExportDownload>();

  prepare(download: ExportDownload): string {
    const id = randomBytes(16).toString('hex');
    this.#prepared.set(id, download);
    return id;
  }

  take(id: string): ExportDownload | null {
    const found = this.#prepared.get(id) ?? null;
    this.#prepared.delete(id);
    return found;
  }
}

/** A download in progress, as an event reports it. */
export function someDownload(receivedBytes: number, name: string | null = null): Download {
  return {
    id: 'd'.repeat(32),
    workspaceId: 'lab',
    md5: 'a'.repeat(32),
    name,
    state: 'receiving',
    receivedBytes,
    totalBytes: null,
    bytesPerSecond: 0,
    sha1: null,
    sha256: null,
    failure: null,
  };
}

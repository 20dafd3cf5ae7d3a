import type { Action, ActionCall } from './action.ts';
import { atMost } from './at-most.ts';
import { LabError } from './errors.ts';
import { KeptScanner } from './kept-scanner.ts';
import type { MetadataStore, StoredPublication } from './metadata-store.ts';
import type { PublicationScanner, ScannerOptions } from './publication-scanner.ts';
import { readScanForm } from './scan-form.ts';
import type { LabScanLimits } from './scan-limits.ts';
import { scanReply, type ScannedWith } from './scan-reply.ts';
import { sendJson } from './send-json.ts';
import { type SharedBytes, SharedMemories } from './shared-bytes.ts';
import { whileConnected } from './while-connected.ts';

/** Each holds its file in memory, and has a thread of its own. */
const scansAtOnce = 2;
/** How long threads, rules and memory are kept for the next file. */
const idleMs = 60_000;

type FileScanner = Pick<PublicationScanner, 'scan' | 'close'>;

export interface ScanPorts {
  metadata: Pick<MetadataStore, 'publications'>;
  /** Compiles its rules, which takes a while. */
  openScanner(publication: StoredPublication, options: ScannerOptions): Promise<FileScanner>;
}

export interface FileScanning {
  action: Action;
  /** What runs is given up. */
  close(): Promise<void>;
}

/**
 * A form with a file → `{"publication": {id, version, group}, "matches": [{rule, namespace, tags, meta, strings: [{id,
 * offset, length, data}]}]}`. Nothing of the file is kept.
 */
export function scanFile(
  { metadata, openScanner }: ScanPorts,
  { fileBytes, fileSeconds }: LabScanLimits,
): FileScanning {
  const ending = new AbortController();
  const kept = new KeptScanner<FileScanner>(idleMs);
  const memories = new SharedMemories(fileBytes, idleMs);
  const open = (publication: StoredPublication) =>
    openScanner(publication, { lanes: scansAtOnce, fileSeconds, signal: ending.signal });
  // Null for a client that has gone before its file was looked at; a scan that runs goes on, because a session gives up
  // all or none.
  const scanned = async (
    call: ActionCall,
    publication: StoredPublication,
    memory: SharedBytes,
  ): Promise<ScannedWith | null> => {
    const gone = whileConnected(call);
    const file = await readScanForm(call, fileBytes, memory);
    if (gone.aborted) return null;
    // Nothing moves on the connection while the rules look, and they have a limit of their own.
    call.response.setTimeout(0);
    return kept.use(
      publication.id,
      () => open(publication),
      async (scanner) => (gone.aborted ? null : scanner.scan(file)),
    );
  };
  const answerOne = async (call: ActionCall): Promise<void> => {
    const publication = currentOf(await metadata.publications());
    const found = await memories.lend((memory) => scanned(call, publication, memory));
    if (found !== null) sendJson(call.response, 200, scanReply(publication, found));
  };
  const answer = atMost(scansAtOnce, `The lab scans ${scansAtOnce} files at a time.`, answerOne);
  return { action: { method: 'POST', right: 'scan', answer }, close: () => (ending.abort(), kept.close()) };
}

/** The newest Release; where there is none, the newest of all. */
function currentOf(newestFirst: readonly StoredPublication[]): StoredPublication {
  const current = newestFirst.find(({ group }) => group === 'Release') ?? newestFirst[0];
  if (current === undefined) throw new LabError('no-publication', 'No publication to scan with.');
  return current;
}

import type { Action, ActionCall } from './action.ts';
import { atMost } from './at-most.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import { KeptScanner } from './kept-scanner.ts';
import type { MetadataStore, StoredPublication } from './metadata-store.ts';
import { PublicationScanner } from './publication-scanner.ts';
import { readScanForm, type ScanLimits } from './scan-form.ts';
import { scanReply, type ScannedWith } from './scan-reply.ts';
import { sendJson } from './send-json.ts';
import { type SharedBytes, SharedMemories } from './shared-bytes.ts';

/** Each holds its file in memory, and has a thread of its own. */
const scansAtOnce = 2;
/** How long threads, rules and memory are kept for the next file. */
const idleMs = 60_000;

export interface FileScanning {
  action: Action;
  /** What runs is given up. */
  close(): Promise<void>;
}

/** A form with a file → `{"publication": {id, version, group}, "matches": [{rule, namespace, tags, meta, strings: [{id, offset, length, data}]}]}`. Nothing of the file is kept. */
export function scanFile({ metadata, blobs }: { metadata: MetadataStore; blobs: BlobStore }, { fileBytes, fileSeconds }: ScanLimits): FileScanning {
  const ending = new AbortController();
  const kept = new KeptScanner<PublicationScanner>(idleMs);
  const memories = new SharedMemories(fileBytes, idleMs);
  const open = (publication: StoredPublication) => PublicationScanner.open(blobs, publication, { lanes: scansAtOnce, fileSeconds, signal: ending.signal });
  const scanned = async (call: ActionCall, publication: StoredPublication, memory: SharedBytes): Promise<ScannedWith> => {
    const file = await readScanForm(call, fileBytes, memory);
    // Nothing moves on the connection while the rules look, and they have a limit of their own.
    call.response.setTimeout(0);
    return kept.use(publication.id, () => open(publication), (scanner) => scanner.scan(file));
  };
  const answerOne = async (call: ActionCall): Promise<void> => {
    const publication = currentOf(await metadata.publications());
    const found = await memories.lend((memory) => scanned(call, publication, memory));
    sendJson(call.response, 200, scanReply(publication, found));
  };
  const answer = atMost(scansAtOnce, `The lab scans ${scansAtOnce} files at a time.`, answerOne);
  return { action: { method: 'POST', right: 'scan', answer }, close: () => (ending.abort(), kept.close()) };
}

/** The newest Release; where there is none, the newest of all. */
function currentOf(newestFirst: readonly StoredPublication[]): StoredPublication {
  const current = newestFirst.find(({ group }) => group === 'Release') ?? newestFirst[0];
  if (current === undefined) throw new LabError('no-publication', 'There is no publication to scan with.');
  return current;
}

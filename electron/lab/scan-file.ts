import { type Action, type ActionCall, atMost, sendJson, whileConnected } from './action.ts';
import { LabError } from './errors.ts';
import { type FormPart, multipartBoundary, readParts } from './multipart.ts';
import {
  KeptScanner,
  type PublicationScanner,
  type ScannedFile,
  type ScannedWith,
  type ScannerOptions,
  scanReply,
} from './publication-scanner.ts';
import type { MetadataStore, StoredPublication } from './stores/metadata-store.ts';

/** Each holds its file in memory, and has a thread of its own. */
const scansAtOnce = 2;
/** How long threads, rules and memory are kept for the next file. */
const idleMs = 60_000;

type FileScanner = Pick<PublicationScanner, 'scan' | 'close'>;

export interface ScanPorts {
  metadata: Pick<MetadataStore, 'currentPublication'>;
  /** Compiles its rules, which takes a while. */
  openScanner(publication: StoredPublication, options: ScannerOptions): Promise<FileScanner>;
}

interface FileScanning {
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
    openScanner(publication, { workers: scansAtOnce, fileSeconds, signal: ending.signal });
  // Null for a client that disconnects before its file is scanned; a running scan continues, because a session gives up
  // all or none.
  const scanned = async (
    call: ActionCall,
    publication: StoredPublication,
    memory: SharedBytes,
  ): Promise<ScannedWith | null> => {
    const gone = whileConnected(call);
    const file = await readScanForm(call, fileBytes, memory);
    await call.record([]);
    if (gone.aborted) return null;
    // Nothing moves on the connection during the scan, which has a limit of its own.
    call.response.setTimeout(0);
    return kept.use(
      publication.id,
      () => open(publication),
      async (scanner) => (gone.aborted ? null : scanner.scan(file)),
    );
  };
  const answerOne = async (call: ActionCall): Promise<void> => {
    const publication = await metadata.currentPublication();
    if (publication === null) throw new LabError('no-publication', 'No publication to scan with.');
    const found = await memories.lend((memory) => scanned(call, publication, memory));
    if (found !== null) sendJson(call.response, 200, scanReply(publication, found));
  };
  const answer = atMost(scansAtOnce, `The lab scans ${scansAtOnce} files at a time.`, answerOne);
  return { action: { method: 'POST', right: 'scan', answer }, close: () => (ending.abort(), kept.close()) };
}

const mostParts = 1_000;
const longestName = 1024;
/** Besides the file: heads and boundaries, and fields, which are not read. */
const besidesBytes = 8 * 1024 ** 2;

/**
 * The first file of a form, read into the memory given; whatever else it holds is passed over. @throws LabError for
 * what is over a limit, cannot be read, or holds no file
 */
async function readScanForm(
  { request, body }: Pick<ActionCall, 'request' | 'body'>,
  fileBytes: number,
  memory: SharedBytes,
): Promise<ScannedFile> {
  const boundary = multipartBoundary(request);
  let name: string | null = null;
  let parts = 0;
  for await (const part of readParts(body(fileBytes + besidesBytes), boundary)) {
    parts += 1;
    if (parts > mostParts) throw new LabError('bad-parameter', `A form has at most ${mostParts} parts.`);
    if (name === null && (await isFile(part, memory))) name = part.fileName;
  }
  if (name === null) throw new LabError('missing-parameter', 'This form has no file.');
  return { name, bytes: memory.view() };
}

/** False for a field, and for a page's file field in which no file was chosen. */
async function isFile({ fileName, bytes }: FormPart, memory: SharedBytes): Promise<boolean> {
  if (fileName === null) return false;
  if (fileName.length > longestName)
    throw new LabError('bad-parameter', `A file name has at most ${longestName} characters.`);
  for await (const chunk of bytes())
    if (!memory.append(chunk)) throw new LabError('body-too-large', 'The file is over the scan limit.');
  return fileName !== '' || memory.sizeBytes > 0;
}

export interface LabScanLimits {
  /** Of a file: it is in memory as a whole. */
  fileBytes: number;
  /** How long the rules may scan it. */
  fileSeconds: number;
}

export const usualScanLimits: LabScanLimits = { fileBytes: 256 * 1024 ** 2, fileSeconds: 30 };

const firstBytes = 64 * 1024;

/** Bytes as they come, in memory that other threads read without a copy. It grows with them, up to a limit. */
export class SharedBytes {
  readonly #memory: SharedArrayBuffer;
  readonly #mostBytes: number;
  #sizeBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#memory = new SharedArrayBuffer(Math.min(firstBytes, mostBytes), { maxByteLength: mostBytes });
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** False when it would be over the limit; nothing of it is taken then. */
  append(chunk: Uint8Array): boolean {
    const end = this.#sizeBytes + chunk.length;
    if (end > this.#mostBytes) return false;
    // Doubled, because each growth is a call to the system; pages that are not written to take no memory.
    if (end > this.#memory.byteLength)
      this.#memory.grow(Math.min(Math.max(end, this.#memory.byteLength * 2), this.#mostBytes));
    new Uint8Array(this.#memory, this.#sizeBytes, chunk.length).set(chunk);
    this.#sizeBytes = end;
    return true;
  }

  /** What is there by now. */
  view(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#sizeBytes);
  }

  /** The next bytes are written over these. */
  clear(): void {
    this.#sizeBytes = 0;
  }
}

/**
 * Memory that is reused, because threads that have seen it hold it until they collect garbage. Memory that was unused
 * for a while is freed.
 */
export class SharedMemories {
  readonly #mostBytes: number;
  readonly #idleMs: number;
  #free: SharedBytes[] = [];
  #idle: NodeJS.Timeout | null = null;

  constructor(mostBytes: number, keptMs: number) {
    this.#mostBytes = mostBytes;
    this.#idleMs = keptMs;
  }

  async lend<T>(work: (bytes: SharedBytes) => Promise<T>): Promise<T> {
    const bytes = this.#free.pop() ?? new SharedBytes(this.#mostBytes);
    bytes.clear();
    try {
      return await work(bytes);
    } finally {
      this.#free.push(bytes);
      if (this.#idle !== null) clearTimeout(this.#idle);
      this.#idle = setTimeout(() => (this.#free = []), this.#idleMs).unref();
    }
  }
}

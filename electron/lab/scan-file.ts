import { type Action, type ActionCall, atMost, sendJsonText, whileConnected } from './action.ts';
import { LabError } from './errors.ts';
import { type FormPart, multipartBoundary, readParts } from './multipart.ts';
import { KeptScanner, type PublicationScanner, type ScannerOptions, scanReply } from './publication-scanner.ts';
import type { MetadataStore, StoredPublication } from './stores/metadata-store.ts';

/** Where the file of a request goes, and what scans it there. */
export interface FileScanner {
  /**
   * Gives the work a place for one file, and takes it back with the file when the work is over. @throws LabError `busy`
   * before anything is read
   */
  lend(work: (place: ScanPlace) => Promise<void>): Promise<void>;
  /** What runs is given up: it fails with `cancelled`. */
  close(): Promise<void>;
}

export interface ScanPlace {
  /** @throws LabError `body-too-large` */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Scans what was written with the rules of the publication. `gone` is aborted when the client has left. @returns the
   * JSON of the reply, as `scanReply` has it; null where no caller waits for it. @throws LabError
   */
  scan(publication: StoredPublication, name: string, gone: AbortSignal): Promise<string | null>;
}

/** How long the client of a file may send nothing: it has a place that others wait for. */
const usualSilentMs = 30_000;

/**
 * A form with a file → `{"publication": {id, version, group}, "matches": [{rule, namespace, tags, meta, strings: [{id,
 * offset, length, data}]}]}`. Nothing of the file is kept.
 */
export function scanFile(
  metadata: Pick<MetadataStore, 'currentPublication'>,
  scanner: FileScanner,
  { fileBytes, silentMs = usualSilentMs }: Pick<LabScanLimits, 'fileBytes'> & { silentMs?: number },
): Action {
  const answerIn = async (call: ActionCall, publication: StoredPublication, place: ScanPlace): Promise<void> => {
    const gone = whileConnected(call);
    call.response.setTimeout(silentMs);
    const name = await readScanForm(call, fileBytes, place);
    await call.recheck();
    await call.record([]);
    if (gone.aborted) return;
    const reply = await place.scan(publication, name, gone);
    if (reply !== null) sendJsonText(call.response, 200, reply);
  };
  const answer = (call: ActionCall): Promise<void> =>
    scanner.lend(async (place) => {
      const publication = await metadata.currentPublication();
      if (publication === null) throw new LabError('no-publication', 'No publication to scan with.');
      await answerIn(call, publication, place);
    });
  return { method: 'POST', right: 'scan', answer };
}

/** Each holds its file in memory, and has a thread of its own. */
const scansAtOnce = 2;
/** How long threads, rules and memory are kept for the next file. */
const idleMs = 60_000;

type OpenScanner = Pick<PublicationScanner, 'scan' | 'close'>;

/** Scans in threads of this process. `open` compiles the rules, which takes a while. */
export function scannerHere(
  open: (publication: StoredPublication, options: ScannerOptions) => Promise<OpenScanner>,
  { fileBytes, fileSeconds }: LabScanLimits,
): FileScanner {
  const ending = new AbortController();
  const kept = new KeptScanner<OpenScanner>(idleMs);
  const memories = new SharedMemories(fileBytes, idleMs);
  const options = { workers: scansAtOnce, fileSeconds, signal: ending.signal };
  const placeIn = (memory: SharedBytes): ScanPlace => ({
    write: async (chunk) => {
      if (!memory.append(chunk)) throw overScanLimit();
    },
    // A running scan continues when its client leaves, because a session gives up all or none.
    scan: async (publication, name, gone) => {
      const found = await kept.use(
        publication.id,
        () => open(publication, options),
        async (scanner) => (gone.aborted ? null : scanner.scan({ name, bytes: memory.view() })),
      );
      return found === null ? null : JSON.stringify(scanReply(publication, found));
    },
  });
  return {
    lend: atMost(
      scansAtOnce,
      `The lab scans ${scansAtOnce} files at a time.`,
      (work: (at: ScanPlace) => Promise<void>) => memories.lend((memory) => work(placeIn(memory))),
    ),
    close: () => (ending.abort(), kept.close()),
  };
}

export const overScanLimit = (): LabError => new LabError('body-too-large', 'The file is over the scan limit.');

const mostParts = 1_000;
const longestName = 1024;
/** Besides the file: heads and boundaries, and fields, which are not read. */
const besidesBytes = 8 * 1024 ** 2;

/**
 * Reads the first file of a form into the place; whatever else it holds is passed over. @returns its name. @throws
 * LabError for what is over a limit, cannot be read, or holds no file
 */
async function readScanForm(
  { request, body }: Pick<ActionCall, 'request' | 'body'>,
  fileBytes: number,
  place: ScanPlace,
): Promise<string> {
  const boundary = multipartBoundary(request);
  let name: string | null = null;
  let parts = 0;
  for await (const part of readParts(body(fileBytes + besidesBytes), boundary)) {
    parts += 1;
    if (parts > mostParts) throw new LabError('bad-parameter', `A form has at most ${mostParts} parts.`);
    if (name === null && (await isFile(part, place))) name = part.fileName;
  }
  if (name === null) throw new LabError('missing-parameter', 'This form has no file.');
  return name;
}

/** False for a field, and for a page's file field in which no file was chosen. */
async function isFile({ fileName, bytes }: FormPart, place: ScanPlace): Promise<boolean> {
  if (fileName === null) return false;
  if (fileName.length > longestName)
    throw new LabError('bad-parameter', `A file name has at most ${longestName} characters.`);
  let sizeBytes = 0;
  for await (const chunk of bytes()) {
    sizeBytes += chunk.length;
    await place.write(chunk);
  }
  return fileName !== '' || sizeBytes > 0;
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

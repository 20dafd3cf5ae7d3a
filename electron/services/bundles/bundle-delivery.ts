import type { MessagePort } from 'node:worker_threads';
import type { BundledSample } from '../../../shared/domain/bundle.ts';
import { fail } from '../../../shared/failure.ts';
import type { BundlePart, BundleReading } from '../../archive/bundle/bundle-opening.ts';
import type { BundlePreview } from '../../storage/bundles/bundle-preview.ts';
import {
  borderBytes,
  type BytesState,
  countedBytes,
  type FromReader,
  type ReadingOrder,
  sampleWeight,
  type Taking,
  type ToReader,
} from './bundle-workers.ts';

/** Bytes on their way to the importer. */
const mostOnTheWay = 16 * 2 ** 20;
/** Larger ones go piece by piece. */
const mostWhole = 4 * 2 ** 20;
/** Smaller pieces are joined: a bundle may have been cut into single bytes. */
const leastSent = 64 * 2 ** 10;

interface DeliveryPorts {
  preview: Pick<BundlePreview, 'isHeld' | 'haveRules'>;
  shown(): void;
  report(message: FromReader, transfer?: ArrayBuffer[]): void;
  port: MessagePort;
}

/**
 * Gives a bundle out that was looked through before, sample by sample. @throws FailureError `bundle-changed` when it is
 * another by now, and as the reading does
 */
export async function giveOut(
  reading: Pick<BundleReading, 'parts' | 'readBytes'>,
  order: ReadingOrder,
  taking: Taking,
  ports: DeliveryPorts,
): Promise<void> {
  const giving = new BundleDelivery(order.name, taking, ports);
  const showing = new ShownNowAndThen(reading, ports.shown);
  for await (const part of reading.parts(order)) {
    showing.now();
    await giving.part(part);
  }
  ports.report({ kind: 'read', readBytes: reading.readBytes });
  ports.report({ kind: 'taken' });
}

/** The handling of the bytes that come. */
type Going =
  | { as: 'dropped' }
  | { as: 'pieces'; joined: Uint8Array[]; joinedBytes: number }
  | { as: 'whole'; bytes: Uint8Array<ArrayBuffer>; filled: number };

class BundleDelivery {
  readonly #name: string;
  readonly #taking: Taking;
  readonly #ports: DeliveryPorts;
  #samples = 0;
  #borders = 0;
  #onTheWay = 0;
  /** What samples since the last border counted. */
  #sinceBorder = 0;
  #going: Going = { as: 'dropped' };

  constructor(name: string, taking: Taking, ports: DeliveryPorts) {
    this.#name = name;
    this.#taking = taking;
    this.#ports = ports;
    ports.port.on('message', ({ handledBytes }: ToReader) => {
      this.#onTheWay -= handledBytes;
    });
  }

  async part(part: BundlePart): Promise<void> {
    switch (part.kind) {
      case 'sample':
        return this.#sample(part);
      case 'rules':
        return this.#rules(part);
      case 'piece':
        return this.#piece(part.bytes);
      case 'bytes-end':
        return this.#endBytes(part.isWhole);
      case 'border':
        return this.#border(part.digest);
      default:
        return undefined;
    }
  }

  async #sample({ sample, records, hasBytes, recordBytes }: Extract<BundlePart, { kind: 'sample' }>): Promise<void> {
    this.#samples += 1;
    this.#going = { as: 'dropped' };
    if (this.#samples <= this.#taking.skip) return;
    const bytes = this.#bytesOf(sample, hasBytes);
    if (bytes === 'coming')
      this.#going =
        (sample.sizeBytes ?? 0) > mostWhole
          ? piecesNow()
          : { as: 'whole', bytes: new Uint8Array(sample.sizeBytes ?? 0), filled: 0 };
    const sentBytes = countedBytes(sampleWeight * recordBytes);
    await this.#waitForSpace(sentBytes);
    this.#sinceBorder += sentBytes;
    this.#ports.report({ kind: 'sample', sample, records, bytes, sentBytes });
  }

  #bytesOf(sample: BundledSample, hasBytes: boolean): BytesState {
    if (!hasBytes) return 'none';
    return this.#ports.preview.isHeld(sample) ? 'held' : 'coming';
  }

  /** What is here already is not opened once more. */
  async #rules({ rules }: Extract<BundlePart, { kind: 'rules' }>): Promise<void> {
    this.#going = { as: 'dropped' };
    if (this.#ports.preview.haveRules(rules.sha256)) return;
    this.#going = piecesNow();
    this.#ports.report({ kind: 'rules', rules });
  }

  async #piece(piece: Buffer): Promise<void> {
    if (this.#going.as === 'dropped') return;
    if (this.#going.as === 'whole') {
      this.#going.bytes.set(piece, this.#going.filled);
      this.#going.filled += piece.length;
      return;
    }
    this.#going.joined.push(new Uint8Array(piece));
    this.#going.joinedBytes += piece.length;
    if (this.#going.joinedBytes >= leastSent) await this.#sendJoined(this.#going.joined);
  }

  async #sendJoined(joined: readonly Uint8Array[]): Promise<void> {
    const bytes = new Uint8Array(joined.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of joined) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#going = piecesNow();
    await this.#waitForSpace(bytes.length);
    this.#ports.report({ kind: 'piece', bytes }, [bytes.buffer]);
  }

  async #endBytes(isWhole: boolean): Promise<void> {
    if (this.#going.as === 'pieces') {
      if (this.#going.joinedBytes > 0) await this.#sendJoined(this.#going.joined);
      this.#ports.report({ kind: 'end-pieces', isWhole });
    }
    if (this.#going.as === 'whole' && isWhole) {
      const { bytes } = this.#going;
      await this.#waitForSpace(bytes.length);
      this.#ports.report({ kind: 'whole', bytes }, [bytes.buffer]);
    }
    this.#going = { as: 'dropped' };
  }

  /**
   * Only signed data is taken in: the signature was checked when the bundle was inspected. After much that is taken in,
   * nothing is reported meanwhile, or the host's thread would deserialize it in the same turn.
   */
  async #border(digest: Buffer): Promise<void> {
    const at = borderBytes * this.#borders;
    this.#borders += 1;
    if (!digest.equals(this.#taking.borders.subarray(at, at + borderBytes)))
      fail({ kind: 'bundle-changed', name: this.#name });
    if (this.#samples <= this.#taking.skip) return;
    const sentBytes = Math.min(countedBytes(this.#sinceBorder), mostOnTheWay);
    this.#sinceBorder = 0;
    await this.#waitForSpace(sentBytes);
    this.#ports.report({ kind: 'border', sentBytes });
  }

  async #waitForSpace(length: number): Promise<void> {
    const bytes = countedBytes(length);
    while (this.#onTheWay > 0 && this.#onTheWay + bytes > mostOnTheWay)
      await new Promise((resolve) => this.#ports.port.once('message', resolve));
    this.#onTheWay += bytes;
  }
}

const piecesNow = (): Going => ({ as: 'pieces', joined: [], joinedBytes: 0 });

const everyBytes = 4 * 2 ** 20;

/** How far a reading is, reported every few megabytes. */
export class ShownNowAndThen {
  readonly #reading: Pick<BundleReading, 'readBytes'>;
  readonly #shown: () => void;
  #shownBytes = 0;

  constructor(reading: Pick<BundleReading, 'readBytes'>, shown: () => void) {
    this.#reading = reading;
    this.#shown = shown;
  }

  now(): void {
    if (this.#reading.readBytes - this.#shownBytes < everyBytes) return;
    this.#shownBytes = this.#reading.readBytes;
    this.#shown();
  }
}

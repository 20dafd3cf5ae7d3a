import { mostMispSampleMebibytes } from '../../../shared/domain/case.ts';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import type { Vault } from '../../vault/vault.ts';
import { type CaseSample, isSaid, plainJson, shownLine } from './case-sample.ts';
import type { SampleAttribute } from './misp-event.ts';
import { mispAttribute, type MispObject } from './misp-object.ts';

export interface MispSamplesOptions {
  vault: Pick<Vault, 'read' | 'hashesOf'>;
  password: string;
  /** Before any byte of a sample goes along. */
  leaves(sample: CaseSample): Promise<void>;
  /** A sample whose bytes do not go along, and why. */
  leftOut(sample: CaseSample, failure: Failure): Promise<void>;
  /** A lower one is for tests. */
  limitBytes?: number;
}

type Kept = Hashes & { sizeBytes: number };

/** A ZIP with its first piece made: by then all of the sample was read once, and has proved to be what it was. */
interface Begun {
  value: string;
  first: IteratorResult<Uint8Array, unknown>;
  rest: AsyncIterator<Uint8Array>;
}

const mebibyte = 1024 * 1024;

/**
 * Attributes `malware-sample` as MISP reads them: a ZIP of the sample, named by its MD5, and of its name in
 * `<md5>.filename.txt`, both under the oldest encryption, which is the only one it opens. The ZIP is made while it
 * leaves: nothing of it lies on the disk by itself.
 */
export function mispSamples({
  vault,
  password,
  leaves,
  leftOut,
  limitBytes = mostMispSampleMebibytes * mebibyte,
}: MispSamplesOptions): SampleAttribute {
  const keptOf = async ({ sha256, hash }: CaseSample): Promise<Kept> => {
    const kept =
      (sha256 === null ? null : await vault.hashesOf(sha256)) ?? fail({ kind: 'not-in-vault', sha256: sha256 ?? hash });
    return kept.sizeBytes > limitBytes
      ? fail({ kind: 'sample-too-large', sha256: kept.sha256, sizeBytes: kept.sizeBytes, limitBytes })
      : kept;
  };
  const begin = async (sample: CaseSample): Promise<Begun> => {
    const kept = await keptOf(sample);
    const name = isSaid(sample.name) ? shownLine(sample.name).replaceAll('|', String.raw`\u007c`) : kept.md5;
    const rest = writeSampleZip(
      membersOf(kept, name, vault),
      { encryption: 'zipcrypto', password },
      undefined,
      requireNameOf(kept),
    )[Symbol.asyncIterator]();
    return { value: `${name}|${kept.md5}`, first: await rest.next(), rest };
  };
  return async function* attribute(sample, object) {
    const begun = await begin(sample).catch((error: unknown) => {
      if (!(error instanceof FailureError)) throw error;
      return error.failure;
    });
    if ('kind' in begun) {
      await leftOut(sample, begun);
      return;
    }
    try {
      await leaves(sample);
      yield* withData(plainJson(attributeOf(object, begun.value)), base64Pieces(bytesOf(begun)));
    } finally {
      await begun.rest.return?.();
    }
  };
}

/** Marked as the object's hashes are. */
function attributeOf({ uuid, timestamp, Attribute }: MispObject, value: string): object {
  const Tag = Attribute[0]?.Tag;
  return {
    ...mispAttribute(uuid, timestamp, {
      relation: 'malware-sample',
      type: 'malware-sample',
      category: 'Payload delivery',
      value,
      toIds: true,
    }),
    ...(Tag ? { Tag } : {}),
  };
}

function membersOf({ md5, sha256, sizeBytes }: Kept, name: string, vault: Pick<Vault, 'read'>): ZipMember[] {
  const nameBytes = Buffer.from(name, 'utf8');
  return [
    { name: md5, sizeBytes, open: () => vault.read(sha256) },
    { name: `${md5}.filename.txt`, sizeBytes: nameBytes.length, open: () => [Buffer.from(nameBytes)] },
  ];
}

const requireNameOf =
  ({ md5 }: Kept) =>
  (name: string): void => {
    if (name !== md5 && name !== `${md5}.filename.txt`) throw new TypeError('a sample of an event is named by its MD5');
  };

async function* bytesOf({ first, rest }: Begun): AsyncGenerator<Uint8Array, void, void> {
  if (first.done === true) return;
  yield first.value;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function* withData(attribute: string, base64: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  yield `${attribute.slice(0, -1)},"data":"`;
  yield* base64;
  yield '"}';
}

const bytesAGroup = 3;

/** Base64 of bytes that arrive in pieces (RFC 4648, 4). */
export async function* base64Pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let rest = Buffer.alloc(0);
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece]);
    const whole = all.length - (all.length % bytesAGroup);
    yield all.toString('base64', 0, whole);
    rest = Buffer.from(all.subarray(whole));
  }
  yield rest.toString('base64');
}

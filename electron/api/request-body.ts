import { Buffer } from 'node:buffer';

/** The body of a POST. One is made for each try: what it reads from can be read again only from its beginning. */
export interface RequestBody {
  contentType: string;
  /** Of all of it, in bytes, the end included: announced beforehand. */
  sizeBytes: number;
  /** All but the end, in pieces of any size. Throws when it cannot be read, or is not as long as was said. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Without these last bytes the body is not whole, and a service takes nothing of it for a request. */
  end: Uint8Array;
}

export type FormField = readonly [name: string, value: string];

/** A form as `application/x-www-form-urlencoded` (URL Standard, 5.2). All of it is its end. */
export function urlEncodedBody(fields: readonly FormField[]): RequestBody {
  const end = Buffer.from(
    new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  );
  return { contentType: 'application/x-www-form-urlencoded', sizeBytes: end.length, chunks: nothing, end };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

import type { IncomingHttpHeaders } from 'node:http';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { formReader } from './form-reader.ts';
import type { ZipItem } from './zip-items.ts';

/** An upload taken apart: what continues to the service, and the files that do not. */
export interface Divided {
  /** Null when nothing is left. */
  rest: FormData | null;
  rejected: { name: string; sizeBytes: number; md5: string }[];
}

interface Part extends ZipItem {
  field: string;
  md5: string;
}

const filesData = z.array(z.looseObject({ index: z.number() }));

/** What is said for each file, in either form, goes or stays with its file. */
export async function divided(
  headers: IncomingHttpHeaders,
  body: Buffer,
  isRejected: (md5: string) => boolean,
): Promise<Divided> {
  const { fields, parts } = await taken(headers, body);
  const kept = [...parts.keys()].filter((index) => !isRejected(parts[index]?.md5 ?? ''));
  const rejected = parts
    .filter(({ md5 }) => isRejected(md5))
    .map(({ name, bytes, md5 }) => ({ name, sizeBytes: bytes.length, md5 }));
  if (kept.length === 0) return { rest: null, rejected };
  const rest = new FormData();
  for (const name of new Set(fields.map(([field]) => field))) {
    const values = fields.flatMap(([field, value]) => (field === name ? [value] : []));
    for (const value of valuesKept(name, values, kept)) rest.append(name, value);
  }
  for (const { field, name, bytes } of kept.flatMap((index) => parts[index] ?? []))
    rest.append(field, new Blob([Buffer.from(bytes)]), name);
  return { rest, rejected };
}

function valuesKept(name: string, values: readonly string[], kept: readonly number[]): readonly string[] {
  if (name.endsWith('[]')) return kept.flatMap((index) => values[index] ?? []);
  if (name !== 'files_data') return values;
  return values.map((value) =>
    JSON.stringify(
      filesData
        .parse(JSON.parse(value))
        .flatMap((file) => (kept.includes(file.index) ? { ...file, index: kept.indexOf(file.index) } : [])),
    ),
  );
}

async function taken(
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ fields: [string, string][]; parts: Part[] }> {
  const parts: Promise<Part>[] = [];
  const { sink, fields } = formReader(headers, (head, bytes) => {
    parts.push(
      buffer(bytes).then((whole) => ({ ...head, bytes: whole, md5: createHash('md5').update(whole).digest('hex') })),
    );
  });
  Readable.from([body]).pipe(sink);
  const named = await fields;
  if (named === null) throw new Error('the upload is no form');
  return { fields: named, parts: await Promise.all(parts) };
}

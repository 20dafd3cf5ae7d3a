import type { z } from 'zod';
import { type RecordField, recordFields } from '../../../shared/domain/query-fields.ts';
import { type Json, sampleRecord } from '../../../shared/domain/sample.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { readJson } from '../database/stored-json.ts';

/** UTF-16 units of one value, and values of one sample, that can be searched for. */
const longestValue = 1000;
const mostValues = 2000;

/** The part of a record that states values; comments, of which there may be tens of thousands, are not looked at. */
const statingRecord = sampleRecord.pick({
  imphash: true,
  ssdeep: true,
  signer: true,
  pdbPath: true,
  mime: true,
  uploader: true,
  urls: true,
  virusTotal: true,
  sandbox: true,
  favorite: true,
  unknown: true,
});
type StatingRecord = z.infer<typeof statingRecord>;

/** What a record states by the fields that it is searched by, each value once and as it is compared. */
function valuesOfRecord(record: StatingRecord): [RecordField, string][] {
  const stated: Record<RecordField, readonly (Json | undefined)[]> = {
    imphash: [record.imphash],
    ssdeep: [record.ssdeep],
    // No service of this family is known to have a field for it.
    tlsh: [record.unknown['tlsh']],
    signer: [record.signer],
    pdb: [record.pdbPath],
    mime: [record.mime],
    uploader: [record.uploader],
    url: record.urls.flatMap(({ name, url }) => [url, name]),
    vt: [record.virusTotal.state, record.virusTotal.score],
    sandbox: [record.sandbox.state],
    favorite: record.favorite === null ? [] : [record.favorite ? 'yes' : 'no'],
  };
  return recordFields.flatMap((field) =>
    stated[field].flatMap((value): [RecordField, string][] => {
      const text = typeof value === 'string' ? comparable(value) : '';
      return text === '' ? [] : [[field, text]];
    }),
  );
}

const comparable = (value: string): string =>
  lowerLetters(value.trim()).slice(0, longestValue).toWellFormed().replaceAll('\0', '');

/** The same of several records, as many as are searched for. */
export function statedValues(records: readonly StatingRecord[]): [RecordField, string][] {
  const values = new Map(
    records.flatMap(valuesOfRecord).map(([field, value]) => [JSON.stringify([field, value]), [field, value] as const]),
  );
  return [...values.values()].slice(0, mostValues).map(([field, value]) => [field, value]);
}

/** The same of a stored record; one that cannot be read states nothing. */
export function storedValues(body: string): [RecordField, string][] {
  const { data } = statingRecord.safeParse(readJson(body));
  return data === undefined ? [] : statedValues([data]);
}

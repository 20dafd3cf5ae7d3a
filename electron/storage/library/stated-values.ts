import type { z } from 'zod';
import { dayOf } from '../../../shared/domain/clock.ts';
import { recordFields } from '../../../shared/domain/query-fields.ts';
import { comparableValue, wordlessValue } from '../../../shared/domain/query-values.ts';
import { type Json, sampleRecord, sandboxWords, virusTotalWords } from '../../../shared/domain/sample.ts';
import { normalTag, tlpOf } from '../../../shared/domain/tag.ts';
import { isWordless } from '../database/search-expression.ts';
import { readJson } from '../database/stored-json.ts';
import { serviceTagsOf } from './service-tags.ts';

/**
 * What is found by its whole value: the fields of records, and names, threats and tags that the words of a sample do
 * not lead to. Values of one sample that can be searched for by each; a URL has up to three.
 */
const mostOfField = 300;
const mostOfTags = 2000;
const mostOfUrls = 3000;
const fields = [...recordFields, 'date', 'name', 'threat', 'tag'] as const;
export type ValueField = (typeof fields)[number];

/** The part of a record that states values; comments, of which there may be tens of thousands, are not looked at. */
const statingRecord = sampleRecord.pick({
  name: true,
  threat: true,
  date: true,
  tags: true,
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
  locked: true,
  unknown: true,
});
type StatingRecord = z.infer<typeof statingRecord>;

/** What a record states by the fields that it is searched by: as it is stored, and as it is shown. */
function statedBy(record: StatingRecord): Record<ValueField, readonly (Json | undefined)[]> {
  const { virusTotal, sandbox } = record;
  return {
    imphash: [record.imphash],
    ssdeep: [record.ssdeep],
    // No service of this family is known to have a field for it.
    tlsh: [record.unknown['tlsh']],
    signer: [record.signer],
    pdb: [record.pdbPath],
    mime: [record.mime],
    uploader: [record.uploader],
    url: record.urls.flatMap(({ name, url }) => [url, name, name !== '' && name !== url ? `${name}: ${url}` : null]),
    vt: [virusTotal.state, virusTotalWords(record), virusTotal.score, virusTotal.link],
    sandbox: [sandbox.state, sandboxWords(record), sandbox.link],
    favorite: [yesNo(record.favorite)],
    locked: [yesNo(record.locked)],
    date: [record.date === null ? null : dayOf(record.date)],
    name: wordless([record.name]),
    threat: wordless([record.threat]),
    tag: otherTags(record.tags),
  };
}

const yesNo = (value: boolean | null): string | null => (value === null ? null : value ? 'yes' : 'no');

const wordless = (texts: readonly (string | null)[]): string[] =>
  texts
    .filter((text) => text !== null)
    .filter(isWordless)
    .map(wordlessValue);

/** Tags that a row of the library does not have: long ones, those behind the first 200, and several as one. */
function otherTags(tags: readonly string[]): string[] {
  const known = new Set(serviceTagsOf(tags));
  const parts = tags.flatMap((one) => one.split(',', mostOfTags));
  return [...tags, ...parts].map(normalTag).filter((one) => !known.has(one) && tlpOf([one]) === null);
}

/** Each value once and as it is compared, as many of each field as are searched for. */
export function statedValues(
  records: readonly StatingRecord[],
  givenNames: readonly string[] = [],
): [ValueField, string][] {
  const stated = records.map(statedBy);
  return fields.flatMap((field) => {
    const values = stated.flatMap((one) => one[field].filter((value) => typeof value === 'string'));
    const all = field === 'name' ? [...values, ...wordless(givenNames)] : values;
    const most = field === 'url' ? mostOfUrls : field === 'tag' ? mostOfTags : mostOfField;
    const compared = new Set(all.slice(0, most).map(comparableValue));
    compared.delete('');
    return [...compared].map((value): [ValueField, string] => [field, value]);
  });
}

/** The same of a stored record; one that cannot be read states nothing. */
export function storedValues(body: string): [ValueField, string][] {
  const { data } = statingRecord.safeParse(readJson(body));
  return data === undefined ? [] : statedValues([data]);
}

/** Of a value that version 28 stored, how it is shown besides, where that is other text: codes have words. */
export function shownValues(field: string, value: string): string[] {
  const words =
    field === 'sandbox'
      ? sandboxWords({ sandbox: { state: value, link: null } })
      : field === 'vt'
        ? virusTotalWords({ virusTotal: virusTotalOf(value), unknown: {} })
        : null;
  return words === null || words === value ? [] : [comparableValue(words)];
}

const noVirusTotal = { state: null, score: null, link: null };
const virusTotalOf = (state: string): StatingRecord['virusTotal'] =>
  statingRecord.shape.virusTotal.safeParse({ ...noVirusTotal, state }).data ?? noVirusTotal;

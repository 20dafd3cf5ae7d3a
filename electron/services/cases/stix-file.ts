import type { CaseSample } from './case-sample.ts';
import { isSaid, shownLine } from './case-words.ts';
import { caseUuid, uuidV5 } from './uuid-v5.ts';

/** For identifiers of observables alone (STIX 2.1, 2.9). */
const namespaceOfObservables = '00abedb4-aa42-466c-9c01-fed23315a9b7';

export interface StixFile {
  type: 'file';
  spec_version: '2.1';
  id: string;
  hashes: Record<string, string>;
  size?: number;
  name?: string;
  mime_type?: string;
}

/** What is observed of a sample. `taken`: ids of the bundle, to which this one is added. */
export function stixFile(sample: CaseSample, taken: Set<string>): StixFile {
  const { sizeBytes, name, mime } = sample;
  const hashes = hashesOf(sample);
  const named = isSaid(name) ? { name: shownLine(name) } : {};
  return {
    type: 'file',
    spec_version: '2.1',
    id: freeId(hashes, named, taken),
    hashes,
    ...(sizeBytes === null ? {} : { size: sizeBytes }),
    ...named,
    ...(mime === null ? {} : { mime_type: mime }),
  };
}

function hashesOf({ md5, sha1, sha256 }: CaseSample): Record<string, string> {
  return {
    ...(md5 === null ? {} : { MD5: md5 }),
    ...(sha1 === null ? {} : { 'SHA-1': sha1 }),
    ...(sha256 === null ? {} : { 'SHA-256': sha256 }),
  };
}

/**
 * By its name and one hash, the first there is of MD5, SHA-1 and SHA-256. Two rows with one MD5 and one name would be
 * one observable to that rule: the second goes by all it has, outside of the namespace of that rule, as the standard
 * has it of any other.
 */
function freeId(hashes: Readonly<Record<string, string>>, named: { name?: string }, taken: Set<string>): string {
  const [[algorithm, value] = []] = Object.entries(hashes);
  const known = algorithm === undefined || value === undefined ? named : { hashes: { [algorithm]: value }, ...named };
  const id = `file--${uuidV5(namespaceOfObservables, JSON.stringify(known))}`;
  const free = taken.has(id) ? `file--${caseUuid('file', JSON.stringify(hashes), named.name ?? '')}` : id;
  taken.add(free);
  return free;
}

/** What a sensor looks for: the strongest hash that is known. */
export function stixPattern({ hashes }: StixFile): string {
  const [algorithm = '', value = ''] = Object.entries(hashes).at(-1) ?? [];
  return `[file:hashes.${literal(algorithm)} = ${literal(value)}]`;
}

/** A string as a pattern has it (STIX 2.1, 9.6.1). */
const literal = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

import type { LookupResult } from '../../shared/domain/lookup.ts';
import { inertLine } from './inert-line.ts';

const labelWidth = 13;

/** What is known of one sample, a fact a line, for people. */
export function recordLines({ asked, record, local }: LookupResult): string[] {
  const facts: [string, string | null][] = [
    ['MD5', record.md5 ?? asked],
    ['SHA-1', record.sha1 ?? local.sha1],
    ['SHA-256', record.sha256 ?? local.sha256],
    ['Name', record.name],
    ['Size', bytes(record.sizeBytes ?? local.sizeBytes)],
    ['Type', record.mime],
    ['Criticity', record.criticity],
    ['Threat', record.threat],
    ['Date', record.date],
    ['Uploader', record.uploader],
    ['Signer', record.signer],
    ['ssdeep', record.ssdeep],
    ['imphash', record.imphash],
    ['PDB', record.pdbPath],
    ['Tags', listed(record.tags)],
    ['Addresses', listed(record.urls.map(({ name, url }) => `${name} ${url}`))],
    ['VirusTotal', joined(record.virusTotal.state, record.virusTotal.score)],
    ['Sandbox', record.sandbox.state],
    ['Comments', record.comments.length === 0 ? null : String(record.comments.length)],
    ['Here', `${local.inVault ? 'in the vault' : 'not in the vault'}, first seen ${local.firstSeen}`],
    ['Own tags', listed(local.tags)],
  ];
  return facts.flatMap(([label, value]) =>
    value === null || value === '' ? [] : [`${label.padEnd(labelWidth)}${inertLine(value)}`],
  );
}

/** The same in short: hash, criticity, size, type, threat, name. */
export function recordLine(hash: string, { record, local }: LookupResult): string {
  const facts = [
    hash,
    record.criticity,
    bytes(record.sizeBytes ?? local.sizeBytes),
    record.mime,
    record.threat,
    record.name,
  ];
  return facts.map((fact) => (fact === null || fact === '' ? '-' : inertLine(fact))).join('  ');
}

const bytes = (size: number | null): string | null => (size === null ? null : `${size.toLocaleString('en')} bytes`);
const listed = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(', '));
const joined = (...texts: readonly (string | null)[]): string => texts.filter((text) => text !== null).join(', ');

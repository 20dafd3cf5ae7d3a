import { type LookupResult, sandboxWords, virusTotalWords } from '../../shared/domain/sample.ts';
import { counted } from '../../shared/failure-sentence.ts';
import { type Cell, shownTime } from './records.ts';

export const recordLabelWidth = 13;

/** What is known of one sample, a fact each, for people. */
export function recordFacts({ asked, record, local }: LookupResult): [string, Cell][] {
  return [
    ['MD5', record.md5 ?? asked],
    ['SHA-1', record.sha1 ?? local.sha1],
    ['SHA-256', record.sha256 ?? local.sha256],
    ['Warning', record.warning === null ? null : `displayed by the server before this record: ${record.warning}`],
    ['Name', record.name],
    ['Size', bytes(record.sizeBytes ?? local.sizeBytes)],
    ['Type', record.mime],
    ['Severity', record.criticity],
    ['Threat', record.threat],
    ['Date', record.date === null ? null : shownTime(record.date)],
    ['Uploader', record.uploader],
    ['Signer', record.signer],
    ['ssdeep', record.ssdeep],
    ['imphash', record.imphash],
    ['PDB', record.pdbPath],
    ['Tags', listed(record.tags)],
    ['Addresses', listed(record.urls.map(({ name, url }) => `${name} ${url}`))],
    ['VirusTotal', joined(virusTotalWords(record), record.virusTotal.score)],
    ['Sandbox', sandboxWords(record)],
    ['Comments', commentCount(record)],
    ['Local', `${local.inVault ? 'in the vault' : 'not in the vault'}, first seen ${shownTime(local.firstSeen)}`],
    ['Local tags', listed(local.tags)],
  ];
}

function commentCount({ comments, commentsOmitted }: LookupResult['record']): Cell {
  const kept = comments.length === 0 ? null : comments.length;
  return commentsOmitted === 0 ? kept : `${comments.length} of ${comments.length + commentsOmitted}`;
}

const bytes = (size: number | null): string | null => (size === null ? null : counted(size, 'byte'));
const listed = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(', '));
const joined = (...texts: readonly (string | null)[]): string => texts.filter((text) => text !== null).join(', ');

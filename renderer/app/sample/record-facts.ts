import { defang } from '../../../shared/domain/defang.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { exactSizeWords } from '../../components/format.ts';
import { text } from './text.ts';

/** One line of the record. A `time` is shown with its zone or as server time; `mono` is read character by character. */
export interface RecordFact {
  name: string;
  value: string;
  kind: 'text' | 'mono' | 'time';
}

/** The known fields that were sent, in a fixed order; one that was not sent has no line. */
export function recordFacts(record: SampleRecord): RecordFact[] {
  const { fields } = text;
  return [
    fact(fields.date, record.date, 'time'),
    fact(fields.uploader, record.uploader),
    fact(fields.mime, record.mime),
    fact(fields.size, record.sizeBytes === null ? null : exactSizeWords(record.sizeBytes)),
    fact(fields.signer, record.signer),
    fact(fields.imphash, record.imphash, 'mono'),
    fact(fields.ssdeep, record.ssdeep, 'mono'),
    fact(fields.pdbPath, record.pdbPath, 'mono'),
    fact(fields.favorite, yesNo(record.favorite)),
    fact(fields.locked, yesNo(record.locked)),
    ...record.urls.map(({ name, url }) => fact(fields.url, name === '' || name === url ? url : `${name}: ${url}`)),
  ].filter((line) => line !== null);
}

/** What others say of it. */
export function verdictFacts(record: SampleRecord): RecordFact[] {
  const { fields, virusTotal, criticity } = text;
  const { state, score, link } = record.virusTotal;
  return [
    fact(fields.threat, record.threat),
    fact(fields.criticity, record.criticity && criticity[record.criticity]),
    fact(fields.virusTotal, joined(state && virusTotal[state], score, link)),
    fact(fields.sandbox, joined(record.sandbox.state, record.sandbox.link)),
  ].filter((line) => line !== null);
}

function fact(name: string, value: string | null, kind: RecordFact['kind'] = 'text'): RecordFact | null {
  if (value === null || value.trim() === '') return null;
  return { name, value: kind === 'time' ? value : defang(visibleText(value)), kind };
}

function joined(...parts: readonly (string | null)[]): string | null {
  const given = parts.filter((part) => part !== null && part !== '');
  return given.length === 0 ? null : given.join(', ');
}

function yesNo(value: boolean | null): string | null {
  return value === null ? null : value ? text.yes : text.no;
}

import { assertNever } from '../../../shared/assert-never.ts';
import type { SampleFormat } from '../../../shared/domain/sample-table.ts';
import { formatNumber } from '../../components/format.ts';

const samples = (count: number): string => (count === 1 ? '1 sample' : `${formatNumber(count)} samples`);
const lacking = (count: number): string =>
  count === 0 ? '' : ` (${samples(count)} ${count === 1 ? 'has' : 'have'} none)`;

/** English of the menu that copies samples. */
export const text = {
  copy: 'Copy',
  menu: 'Copy',
  many: {
    sha256: 'SHA-256 hashes',
    sha1: 'SHA-1 hashes',
    md5: 'MD5 hashes',
    hashes: 'Best known hash of each',
    csv: 'Samples as CSV',
    json: 'Samples as JSON',
    'json-lines': 'Samples as JSON Lines',
    markdown: 'Samples as Markdown',
    defanged: 'Samples as defanged lines',
    yara: 'YARA rule from their hashes',
  } satisfies Record<SampleFormat, string>,
  one: {
    sha256: 'SHA-256',
    sha1: 'SHA-1',
    md5: 'MD5',
    hashes: 'Best known hash',
    csv: 'Sample as CSV',
    json: 'Sample as JSON',
    'json-lines': 'Sample as JSON line',
    markdown: 'Sample as Markdown',
    defanged: 'Sample as defanged line',
    yara: 'YARA rule from its hash',
  } satisfies Record<SampleFormat, string>,
  atMost: (count: number) => `at most ${formatNumber(count)}`,
  copied: (format: SampleFormat, count: number, without: number) =>
    `Copied ${copiedWhat(format, count)}${lacking(without)}`,
  nothing: 'Nothing copied: no value known',
  noValue: 'Nothing to copy',
  refused: 'Not copied: no access to the clipboard',
  close: 'Close',
};

function copiedWhat(format: SampleFormat, count: number): string {
  switch (format) {
    case 'sha256':
      return `${formatNumber(count)} SHA-256`;
    case 'sha1':
      return `${formatNumber(count)} SHA-1`;
    case 'md5':
      return `${formatNumber(count)} MD5`;
    case 'hashes':
      return count === 1 ? '1 hash' : `${formatNumber(count)} hashes`;
    case 'csv':
      return `${samples(count)} as CSV`;
    case 'json':
      return `${samples(count)} as JSON`;
    case 'json-lines':
      return `${samples(count)} as JSON Lines`;
    case 'markdown':
      return `${samples(count)} as Markdown`;
    case 'defanged':
      return `${samples(count)}, defanged`;
    case 'yara':
      return `a YARA rule for ${samples(count)}`;
    default:
      return assertNever(format);
  }
}

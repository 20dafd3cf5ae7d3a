import type { ToldSample } from './sample-table-sample.ts';
import { escaped } from './sample-table-words.ts';
import { visibleText } from './visible-text.ts';

export const sampleJsonHead = '[';
/** `index`: from 0. */
export const sampleJsonRow = (sample: ToldSample, index: number): string =>
  `${index === 0 ? '' : ','}\n  ${plainJson(sample, 2).replaceAll('\n', '\n  ')}`;
export const sampleJsonTail = (count: number): string => (count === 0 ? ']\n' : '\n]\n');

export const sampleJsonLine = (sample: ToldSample): string => `${plainJson(sample, 0)}\n`;

const otherLineEnds = /[\u2028\u2029]/g;

/**
 * What is invisible, or ends a line for some readers, is spelt out the way JSON has it too: it is read back as it was.
 */
const plainJson = (sample: ToldSample, indentation: number): string =>
  escaped(visibleText(JSON.stringify(inOrder(sample), null, indentation)), otherLineEnds);

const inOrder = ({
  sha256,
  sha1,
  md5,
  name,
  sizeBytes,
  type,
  tlp,
  threat,
  tags,
  serviceTags,
  hits,
  firstSeen,
  lastSeen,
  inVault,
}: ToldSample): ToldSample => ({
  sha256,
  sha1,
  md5,
  name,
  sizeBytes,
  type,
  tlp,
  threat,
  tags,
  serviceTags,
  hits,
  firstSeen,
  lastSeen,
  inVault,
});

import type { ShownMatch } from './shown-hits.ts';
import { text } from './text.ts';

const bytesShown = 8;
const charactersShown = 24;
const leastText = 4;

/** The bytes of a match as a person reads them: text where they are some, else digits in pairs. */
export function dataWords({ data, length }: Pick<ShownMatch, 'data' | 'length'>): string {
  if (data === null) return text.dataUnknown;
  const bytes = data.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const isWhole = bytes.length >= length;
  const wide =
    bytes.length > 0 && bytes.length % 2 === 0 && bytes.every((byte, at) => at % 2 === 0 || byte === 0)
      ? bytes.filter((_, at) => at % 2 === 0)
      : null;
  if (wide !== null && isText(wide)) return `${quoted(wide, isWhole)} ${text.wide}`;
  if (isText(bytes)) return quoted(bytes, isWhole);
  const shown = bytes
    .slice(0, bytesShown)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' ');
  return isWhole && bytes.length <= bytesShown ? shown : `${shown} …`;
}

const isText = (bytes: readonly number[]): boolean =>
  bytes.length >= leastText && bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

function quoted(bytes: readonly number[], isWhole: boolean): string {
  const words = String.fromCharCode(...bytes.slice(0, charactersShown));
  return isWhole && bytes.length <= charactersShown ? `"${words}"` : `"${words}…"`;
}

import { stripVTControlCharacters } from 'node:util';

const mostWords = 300;

/**
 * What failed, for the end of a run: where, what, and the first line of what it said. Whoever reads only the end of a
 * long log must find it there.
 */
export function failureLine(place: string, name: string, message = ''): string {
  const words = stripVTControlCharacters(message).trim().split('\n', 1)[0] ?? '';
  return `${place} › ${name}${words === '' ? '' : `: ${words.slice(0, mostWords)}`}`;
}

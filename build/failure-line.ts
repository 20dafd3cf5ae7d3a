import { stripVTControlCharacters } from 'node:util';

const mostWords = 300;

/**
 * A failure, for the end of a run: place, name, and the first line of its message. A reader who reads only the end of a
 * long log must find it there.
 */
export function failureLine(place: string, name: string, message = ''): string {
  const words = stripVTControlCharacters(message).trim().split('\n', 1)[0] ?? '';
  return `${place} › ${name}${words === '' ? '' : `: ${words.slice(0, mostWords)}`}`;
}

import { numberWords } from '../byte-words.ts';

const bytes = (count: number): string => `${numberWords(count)} ${count === 1 ? 'byte' : 'bytes'}`;

/** English of the view of bytes. */
export const text = {
  bytes: 'Bytes',
  offset: 'Offset',
  asText: 'Text',
  keys: 'Arrow keys move, Shift selects, N and P lead to the next match and the one before, G to an offset, Ctrl F searches.',
  reading: 'Reading',
  empty: 'No bytes',
  emptySentence: 'This file is empty.',

  goTo: 'Go to',
  goToLabel: 'Go to an offset',
  notAnOffset: 'Not an offset',
  beyond: (last: string) => `The last byte is at ${last}`,
  matchOf: (place: number, count: number) => `Match ${numberWords(place)} of ${numberWords(count)}`,
  matches: (count: number) => (count === 1 ? '1 match' : `${numberWords(count)} matches`),
  nextMatch: 'Next match',
  matchBefore: 'Match before',
  openFind: 'Search',

  find: 'Search the bytes',
  findAs: 'Search for',
  findText: 'Text',
  findHex: 'Hex',
  textHint: 'Text',
  hexHint: '5a 1c 33 00',
  wide: 'Wide',
  anyCase: 'Any case',
  findNext: 'Find next',
  findBefore: 'Find the one before',
  closeFind: 'Close the search',
  searching: 'Searching, Esc stops',
  foundAt: (offset: string) => `Found at ${offset}`,
  noneToEnd: 'None up to the end, Enter begins anew',
  noneToBeginning: 'None back to the beginning, Enter goes on from the end',
  stopped: 'Stopped',
  notHex: 'Pairs of hexadecimal digits',
  tooLong: 'At most 256 bytes',

  inMark: (length: number, label: string) => ({ length: `${bytes(length)},`, label }),
  selected: (last: string, count: number) => `to ${last}, ${bytes(count)} selected`,
  share: (percent: string) => `${percent} % in`,
  copyHex: 'Copy hex',
  copyText: 'Copy text',
  copied: (count: number) => `Copied ${bytes(count)}`,
  copyFailed: 'Not copied',
  copyTooLong: 'At most 64 KiB at a time',

  map: 'Map of the bytes',
  mapPlace: (offset: string, byteClass: string, entropy: string) => `${offset}, ${byteClass}, entropy ${entropy} of 8`,
  noMap: (what: string) => `No map of the bytes: ${what}.`,
  classes: { zero: 'zero', text: 'text', code: 'mixed', high: 'high', ff: 'ff' },

  littleEndian: 'Little endian',
  cutOff: '–',
} as const;

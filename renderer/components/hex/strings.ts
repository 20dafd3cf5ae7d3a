import { formatNumber } from '../format.ts';

const bytes = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'byte' : 'bytes'}`;

/** English of the view of bytes. */
export const text = {
  bytes: 'Bytes',
  offset: 'Offset',
  asText: 'Text',
  keys: 'Arrow keys move, Shift selects. N and P: next and previous match. G: go to offset. Ctrl F: search.',
  reading: 'Reading',
  empty: 'No bytes',
  emptySentence: 'This file is empty.',

  goTo: 'Go to',
  goToLabel: 'Go to offset',
  notAnOffset: 'Not an offset',
  beyond: (last: string) => `The last offset is ${last}`,
  matchOf: (place: number, count: number) => `Match ${formatNumber(place)} of ${formatNumber(count)}`,
  matches: (count: number) => (count === 1 ? '1 match' : `${formatNumber(count)} matches`),
  nextMatch: 'Next match',
  matchBefore: 'Previous match',
  openFind: 'Search',

  find: 'Search bytes',
  findAs: 'Search for',
  findText: 'Text',
  findHex: 'Hex',
  textHint: 'Text',
  hexHint: '5a 1c 33 00',
  wide: 'Wide',
  anyCase: 'Any case',
  findNext: 'Find next',
  findBefore: 'Find previous',
  closeFind: 'Close search',
  searching: 'Searching. Esc stops',
  foundAt: (offset: string) => `Found at ${offset}`,
  noneToEnd: 'Not found. Enter starts over from the beginning',
  noneToBeginning: 'Not found. Enter continues from the end',
  stopped: 'Stopped',
  notHex: 'Enter pairs of hex digits',
  tooLong: 'At most 256 bytes',

  inMark: (length: number, label: string) => ({ length: `${bytes(length)},`, label }),
  selected: (last: string, count: number) => `to ${last}, ${bytes(count)} selected`,
  share: (percent: string) => `at ${percent} %`,
  copyHex: 'Copy hex',
  copyText: 'Copy text',
  copied: (count: number) => `Copied ${bytes(count)}`,
  copyFailed: 'Not copied',
  copyTooLong: 'At most 64 KiB at a time',

  map: 'Byte map',
  mapPlace: (offset: string, byteClass: string, entropy: string) => `${offset}, ${byteClass}, entropy ${entropy} of 8`,
  noMap: (what: string) => `No byte map: ${what}.`,
  classes: { zero: 'zero', text: 'text', code: 'mixed', high: 'high', ff: 'ff' },

  littleEndian: 'Little endian',
  cutOff: '–',
} as const;

import { afterEach, describe, expect, test } from 'vitest';
import { tlpOf } from '../../shared/domain/tag.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import {
  cutMiddle,
  formatAgo,
  formatCount,
  formatDuration,
  formatEstimate,
  formatExactSize,
  formatMinute,
  formatOtherZone,
  formatRecent,
  formatSecond,
  formatSize,
  nameInSentence,
  readTime,
  showTimesIn,
  timeWidth,
} from './format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1.00 KiB'],
  [1_208_320, '1.15 MiB'],
  [65_820_000_000, '61.3 GiB'],
])('%d bytes read as %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [8638, '8.6K'],
  [12_345, '12K'],
  [999_999, '1M'],
])('in a narrow column %d reads as %s', (count, words) => {
  expect(formatCount(count)).toBe(words);
});

test('an exact size keeps every byte', () => {
  expect(formatExactSize(1_208_320)).toBe('1,208,320 bytes (1.15 MiB)');
  expect(formatExactSize(68)).toBe('68 bytes');
});

test.each([
  [44, '0:44'],
  [723, '12:03'],
  [7269, '2:01:09'],
  [-3, '0:00'],
])('%d seconds read as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

test.each([
  [0.2, 'less than a minute'],
  [50, 'about 1 min'],
  [372, 'about 6 min'],
  [3580, 'about 1 h'],
  [7800, 'about 2 h 10 min'],
])('an estimate of %d seconds reads as %s', (seconds, words) => {
  expect(formatEstimate(seconds)).toBe(words);
});

describe('a time', () => {
  test.each(['2026-11-09T07:40:12Z', '2026-11-09T08:40:12+01:00', '2026-11-09 07:40:12Z', '2026-11-09T07:40:12.123Z'])(
    'with a zone is UTC: %s',
    (sent) => {
      expect(readTime(sent)).toMatchObject({ kind: 'utc', text: '2026-11-09 07:40Z' });
    },
  );
  test('without a zone is server time and is not converted to UTC', () => {
    expect(readTime('2026-11-09 07:40:12')).toEqual({ kind: 'server', text: '2026-11-09 07:40:12' });
    expect(readTime('2026-11-09')).toEqual({ kind: 'server', text: '2026-11-09' });
  });
  test.each(['yesterday', '', '2026-13-45T99:99:99Z'])('that cannot be read stays as it was sent: %s', (sent) => {
    expect(readTime(sent)).toEqual({ kind: 'other', text: sent });
  });
  test.each([
    ['2026-11-18T00:00:00.000Z', '00:00Z'],
    ['2026-11-17T23:59:59.999Z', '2026-11-17 23:59Z'],
    ['2025-11-18T14:21:07.000Z', '2025-11-18 14:21Z'],
  ])('is shown without its day when that is today: %s', (iso, words) => {
    expect(formatRecent(iso, new Date('2026-11-18T14:32:07Z'))).toBe(words);
  });
  test('of a year beyond 9999 is shown whole', () => {
    const far = new Date(Date.UTC(10_021, 0, 31, 14, 21, 7));
    expect([formatMinute(far), formatSecond(far)]).toEqual(['10021-01-31 14:21Z', '10021-01-31 14:21:07Z']);
    expect([
      formatRecent(far.toISOString(), far),
      formatRecent(far.toISOString(), new Date('2026-11-18T14:32:07Z')),
    ]).toEqual(['14:21Z', '10021-01-31 14:21Z']);
    expect(readTime('9999-12-31T23:30:00-02:00')).toMatchObject({ kind: 'utc', text: '10000-01-01 01:30Z' });
  });
  test('shows its age', () => {
    expect(formatAgo('2026-11-18T11:00:00Z', new Date('2026-11-18T14:00:00Z'))).toBe('3 hours ago');
  });
});

test('a long name keeps its beginning and its ending', () => {
  const cut = cutMiddle(`${'a'.repeat(300)}.pdf.exe`, 40);
  expect([...cut]).toHaveLength(40);
  expect(cut.endsWith('.pdf.exe')).toBe(true);
  expect(cutMiddle('short.exe', 40)).toBe('short.exe');
});

test('a bidirectional control character is shown', () => {
  expect(visibleText('report\u202efdp.exe')).toBe('report\\u202efdp.exe');
  expect(visibleText('two\nlines\tof text')).toBe('two\nlines\tof text');
  expect(visibleText('nul\u0000')).toBe('nul\\u0000');
});

test('the strictest TLP of the tags counts, and white is clear', () => {
  expect(tlpOf(['tlp:green', 'TLP:AMBER+STRICT', 'tlp:amber'])).toBe('amber+strict');
  expect(tlpOf(['tlp:white'])).toBe('clear');
  expect(tlpOf(['tlp:purple', 'family:x'])).toBeNull();
});

test('a name in a sentence is isolated when it has letters that run from right to left', () => {
  expect(nameInSentence('a'.repeat(50) + '.exe')).toBe(`${'a'.repeat(26)}…${'a'.repeat(9)}.exe`);
  expect(nameInSentence('\u05d0\u05d1.exe')).toBe('\u2066\u05d0\u05d1.exe\u2069');
  expect(nameInSentence('a\u202eb\n')).toBe('a\\u202eb\\u000a');
});

describe('times in another zone', () => {
  afterEach(() => showTimesIn('utc'));

  test.each([
    ['Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-15 13:00+01:00'],
    ['Europe/Berlin', '2026-07-15T12:00:00Z', '2026-07-15 14:00+02:00'],
    // The hour that is left out in spring, and the one that comes twice in autumn.
    ['Europe/Berlin', '2026-03-29T00:59:00Z', '2026-03-29 01:59+01:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00+02:00'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 02:30+02:00'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 02:30+01:00'],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01 01:30-04:00'],
    ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01 01:30-05:00'],
    ['Asia/Kathmandu', '2026-12-31T18:20:00Z', '2027-01-01 00:05+05:45'],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31 20:30-03:30'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05 01:30+10:30'],
    ['UTC', '2026-01-15T12:00:00Z', '2026-01-15 12:00+00:00'],
  ])('%s shows %s as %s', (zone, iso, shown) => {
    showTimesIn('local', zone);
    expect(formatMinute(new Date(iso))).toBe(shown);
    expect(readTime(iso)).toMatchObject({ kind: 'utc', text: shown, iso: new Date(iso).toISOString() });
    expect(formatOtherZone(new Date(iso))).toBe(`${iso.slice(0, 16).replace('T', ' ')}Z`);
  });

  test('the seconds, and the day only when it is not today there, have the offset too', () => {
    showTimesIn('local', 'Asia/Tokyo');
    expect(formatSecond(new Date('2026-11-18T23:32:07Z'))).toBe('2026-11-19 08:32:07+09:00');
    const now = new Date('2026-11-18T16:00:00Z');
    expect(formatRecent('2026-11-18T15:30:00Z', now)).toBe('00:30+09:00');
    expect(formatRecent('2026-11-18T14:30:00Z', now)).toBe('2026-11-18 23:30+09:00');
  });

  test('a time without a zone stays the time of the server', () => {
    showTimesIn('local', 'Asia/Tokyo');
    expect(readTime('2026-11-18 14:21:00')).toEqual({ kind: 'server', text: '2026-11-18 14:21:00' });
  });

  test('years that a clock writes otherwise are shown in UTC', () => {
    showTimesIn('local', 'Asia/Tokyo');
    expect(formatMinute(new Date('+012026-11-18T14:21:00Z'))).toBe('12026-11-18 14:21Z');
  });

  test('UTC names the local time beside it, unless it is the same, and is narrower', () => {
    const date = new Date('2026-11-18T14:21:00Z');
    expect(formatOtherZone(date, 'Europe/Berlin')).toBe('2026-11-18 15:21+01:00');
    expect(formatOtherZone(date, 'UTC')).toBeNull();
    expect(timeWidth(128)).toBe(128);
    showTimesIn('local', 'Europe/Berlin');
    expect(timeWidth(128)).toBeGreaterThan(128);
  });
});

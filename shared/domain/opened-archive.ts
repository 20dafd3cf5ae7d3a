import { z } from 'zod';
import { assertNever } from '../assert-never.ts';

const count = z.number().int().nonnegative();

export const zipMime = 'application/zip';

/** Passwords for archives, tried before the usual ones. Kept in memory until these are opened. */
export const archivePasswordList = z
  .array(z.string().max(128, 'a password of at most 128 characters'))
  .max(1000, 'at most 1,000 passwords');

/** Why a name deserves attention. It is a label, never a path: the member is read like any other. */
const nameTrait = z.enum(['absolute', 'dotted', 'reserved', 'control']);
export type NameTrait = z.infer<typeof nameTrait>;

/**
 * What is unusual about an archive, or about one member, that was read all the same. About an archive: `count-wrong`,
 * `no-directory`, `bytes-in-front`, `second-archive`, `unread-bytes`. The others are about a member.
 */
export const archiveRemark = z.discriminatedUnion('kind', [
  /** The end record counts other members than the directory lists. */
  z.object({ kind: z.literal('count-wrong'), counted: count, listed: count }),
  /** No directory was found: members were found by their own headers. */
  z.object({ kind: z.literal('no-directory') }),
  z.object({ kind: z.literal('bytes-in-front'), bytes: count }),
  /** The file holds another archive, with so many members. */
  z.object({ kind: z.literal('second-archive'), members: count }),
  /** So many bytes belong to no member. */
  z.object({ kind: z.literal('unread-bytes'), bytes: count }),
  /** The directory omits it. */
  z.object({ kind: z.literal('not-listed') }),
  /** Its local header and the directory contradict each other. */
  z.object({ kind: z.literal('header-differs') }),
  /** It is marked as encrypted and is not. */
  z.object({ kind: z.literal('not-encrypted') }),
  /** Its bytes are those of another member, in the same place. */
  z.object({ kind: z.literal('shared-bytes') }),
  /** Another member has the same name. */
  z.object({ kind: z.literal('same-name') }),
  /** It is marked as a symbolic link: its bytes are the target. */
  z.object({ kind: z.literal('link') }),
  /** It is marked as a device. */
  z.object({ kind: z.literal('device') }),
  /** Its name is that of a folder, and it has bytes. */
  z.object({ kind: z.literal('folder-name') }),
  z.object({ kind: z.literal('name'), trait: nameTrait }),
]);
export type ArchiveRemark = z.infer<typeof archiveRemark>;
export type MemberRemark = Exclude<
  ArchiveRemark,
  { kind: 'count-wrong' | 'no-directory' | 'bytes-in-front' | 'second-archive' | 'unread-bytes' }
>;

const number = (value: number): string => value.toLocaleString('en');
const byteCount = (value: number): string => (value === 1 ? '1 byte' : `${number(value)} bytes`);
const memberCount = (value: number): string => (value === 1 ? '1 member' : `${number(value)} members`);
const nameTraits: Record<NameTrait, string> = {
  absolute: 'absolute path in its name',
  dotted: '“..” in its name',
  reserved: 'name reserved by Windows',
  control: 'invisible characters in its name',
};

/** In a few words, for a row and for a line of output. */
export function remarkText(remark: ArchiveRemark): string {
  switch (remark.kind) {
    case 'count-wrong':
      return `end record counts ${number(remark.counted)} members, the directory lists ${number(remark.listed)}`;
    case 'no-directory':
      return 'no directory; members found by their own headers';
    case 'bytes-in-front':
      return `${byteCount(remark.bytes)} in front of the archive`;
    case 'unread-bytes':
      return `${byteCount(remark.bytes)} ${remark.bytes === 1 ? 'belongs' : 'belong'} to no member`;
    case 'second-archive':
      return `a second archive in the same file (${memberCount(remark.members)})`;
    case 'not-listed':
      return 'missing from the directory';
    case 'header-differs':
      return 'local header contradicts the directory';
    case 'not-encrypted':
      return 'marked as encrypted, but is not';
    case 'shared-bytes':
      return 'same bytes as another member, at the same place';
    case 'same-name':
      return 'name used twice';
    case 'link':
      return 'symbolic link; the bytes are its target';
    case 'device':
      return 'marked as a device';
    case 'folder-name':
      return 'named like a folder';
    case 'name':
      return nameTraits[remark.trait];
    default:
      return assertNever(remark);
  }
}

/** How names without a mark of UTF-8 are read. `cp437` is what the ZIP format has for them. */
export const nameEncodings = [
  'utf-8',
  'cp437',
  'cp850',
  'cp852',
  'ibm866',
  'koi8-r',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
] as const;
export const nameEncoding = z.enum(nameEncodings);
export type NameEncoding = z.infer<typeof nameEncoding>;

/** For a menu: what people call it. */
export const nameEncodingLabels: Record<NameEncoding, string> = {
  'utf-8': 'UTF-8',
  cp437: 'DOS, US (CP437)',
  cp850: 'DOS, Western Europe (CP850)',
  cp852: 'DOS, Central Europe (CP852)',
  ibm866: 'DOS, Cyrillic (CP866)',
  'koi8-r': 'KOI8-R',
  shift_jis: 'Japanese (Shift-JIS)',
  gb18030: 'Chinese, simplified (GBK)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (CP949)',
  'windows-1250': 'Central Europe (1250)',
  'windows-1251': 'Cyrillic (1251)',
  'windows-1252': 'Western Europe (1252)',
  'windows-1253': 'Greek (1253)',
  'windows-1254': 'Turkish (1254)',
  'windows-1255': 'Hebrew (1255)',
  'windows-1256': 'Arabic (1256)',
};

/** The limits for opening an untrusted archive. */
export interface ArchiveLimits {
  /** Entries, folders and refused ones among them. */
  members: number;
  memberBytes: number;
  /** Bytes of all members together, unpacked. */
  totalBytes: number;
  /** How many times larger than what was read of the archive its members may become. */
  expansion: number;
  /** Bytes that come out before `expansion` counts: small things of zeros expand far and do no harm. */
  expansionFreeBytes: number;
}

/** An archive in an archive in an archive, and so on: deeper ones are stored as they are. */
export const mostArchiveDepth = 8;

export const archiveLimits: ArchiveLimits = {
  members: 10_000,
  memberBytes: 4 * 2 ** 30,
  totalBytes: 20 * 2 ** 30,
  expansion: 200,
  expansionFreeBytes: 100 * 2 ** 20,
};

/** MS-CFB 2.2 and 2.6: where the header says how large a sector is, and where the directory begins. */
const header = { sectorShift: 30, directorySector: 48, end: 52 } as const;
const entryBytes = 128;
const nameLengthAt = 64;
const mostEntries = 64;
/** Streams and storages that tell what wrote it, the first that is there. */
const known: readonly (readonly [string, string])[] = [
  ['WordDocument', 'DOC'],
  ['Workbook', 'XLS'],
  ['Book', 'XLS'],
  ['PowerPoint Document', 'PPT'],
  ['__properties_version1.0', 'MSG'],
  ['EncryptedPackage', 'OOXML encrypted'],
  ['VisioDocument', 'VSD'],
];
/** MSI codes the names of its streams in characters that nobody else uses; U+4840 begins those of its tables. */
const tableMark = '\u4840';

/** "DOC", "XLS", "MSI"; "OLE2" where the head does not tell. */
export function compoundFileType(head: Buffer): string {
  const names = directoryNames(head);
  if (names.some((name) => name.startsWith(tableMark))) return 'MSI';
  return known.find(([name]) => names.includes(name))?.[1] ?? 'OLE2';
}

function directoryNames(head: Buffer): string[] {
  if (head.length < header.end) return [];
  const sectorBytes = 2 ** Math.min(16, head.readUInt16LE(header.sectorShift));
  const begin = (head.readUInt32LE(header.directorySector) + 1) * sectorBytes;
  const names: string[] = [];
  for (let at = begin; at + entryBytes <= head.length && names.length < mostEntries; at += entryBytes) {
    const length = head.readUInt16LE(at + nameLengthAt) - 2;
    if (length > 0 && length < nameLengthAt) names.push(head.toString('utf16le', at, at + length));
  }
  return names;
}

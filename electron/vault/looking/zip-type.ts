/** APPNOTE 6.3.10, 4.3.7: a member's record at the beginning of a ZIP. */
const record = { signature: 0x504b0304, length: 26, name: 30 } as const;
const contentTypes = '[Content_Types].xml';
const mostMembers = 64;

/** What a ZIP is by the names and the first bytes of its first members, as far as the head has them. */
export function zipType(head: Buffer): string {
  const names = namesIn(head);
  const has = (name: string): boolean => names.includes(name);
  const hasUnder = (folder: string): boolean => names.some((name) => name.startsWith(folder));
  if (names[0] === 'mimetype') return openDocument(head);
  if (has(contentTypes) || has('_rels/.rels')) {
    if (hasUnder('word/')) return 'DOCX';
    if (hasUnder('xl/')) return 'XLSX';
    if (hasUnder('ppt/')) return 'PPTX';
    return has('AppxManifest.xml') ? 'APPX' : 'OOXML';
  }
  if (has('AndroidManifest.xml') || has('classes.dex')) return 'APK';
  if (has('META-INF/MANIFEST.MF')) return 'JAR';
  return 'ZIP';
}

/** OpenDocument 1.3, part 2, 3.3: its kind is the first member's content, stored as it is. */
function openDocument(head: Buffer): string {
  const content = head.toString('latin1', 0, 256);
  if (content.includes('opendocument.text')) return 'ODT';
  if (content.includes('opendocument.spreadsheet')) return 'ODS';
  if (content.includes('opendocument.presentation')) return 'ODP';
  return content.includes('epub+zip') ? 'EPUB' : 'ZIP';
}

function namesIn(head: Buffer): string[] {
  const signature = Buffer.alloc(4);
  signature.writeUInt32BE(record.signature);
  const names: string[] = [];
  for (
    let at = head.indexOf(signature);
    at >= 0 && at + record.name <= head.length && names.length < mostMembers;
    at = head.indexOf(signature, at + record.name)
  ) {
    const begin = at + record.name;
    names.push(head.toString('latin1', begin, begin + head.readUInt16LE(at + record.length)));
  }
  return names;
}

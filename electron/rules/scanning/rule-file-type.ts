/** What rules call a type that they know no name for. */
const unknown = 'UNKNOWN';

/**
 * The types of LOKI's list of signatures, which are THOR's, by what Vitrine calls a type; behind a space it may say
 * more of it. A name that is in neither is not made up: no rule asks for it.
 */
const names: Readonly<Record<string, string>> = {
  PE32: 'EXE',
  'PE32+': 'EXE',
  MZ: 'EXE',
  ELF: 'ELF',
  ELF32: 'ELF',
  ELF64: 'ELF',
  'Java class': 'Class',
  PDF: 'PDF',
  RTF: 'RTF',
  LNK: 'LNK',
  'registry hive': 'Registry Hive',
  EVTX: 'EVTX',
  minidump: 'MDMP',
  PCAP: 'WINPCAP',
  SWF: 'SWF',
  JPEG: 'JPEG',
  GIF: 'GIF',
  ZIP: 'ZIP',
  APK: 'ZIP',
  APPX: 'ZIP',
  ODT: 'ZIP',
  ODS: 'ZIP',
  ODP: 'ZIP',
  EPUB: 'ZIP',
  JAR: 'JAR',
  DOCX: 'Office',
  XLSX: 'Office',
  PPTX: 'Office',
  OOXML: 'Office',
  DOC: 'OLE',
  XLS: 'OLE',
  PPT: 'OLE',
  MSG: 'OLE',
  VSD: 'OLE',
  MSI: 'OLE',
  OLE2: 'OLE',
  'OOXML encrypted': 'OLE',
  '7z': '7Zip',
  RAR: 'RAR',
  CAB: 'CAB',
  GZIP: 'GZIP',
  BZIP2: 'BZip2',
  TAR: 'TAR',
  ARJ: 'ARJ',
  VHD: 'VHD',
  VMDK: 'VMDK',
  'script (#!)': 'UNIX SCRIPT',
  PHP: 'PHP',
  XML: 'XML',
  'CAB InstallShield': unknown,
};

/** `type`: as Vitrine calls it; null: a file without bytes. */
export function ruleFileType(type: string | null): string {
  if (type === null) return unknown;
  const [first = ''] = type.split(' ');
  return (Object.hasOwn(names, type) ? names[type] : Object.hasOwn(names, first) ? names[first] : undefined) ?? unknown;
}

import type { VariableTexts } from '../engine/scan-engine.ts';

/** What is known of a file besides its bytes. The same bytes may lie in several files. */
export interface FileFacts {
  /** null: not known. */
  name: string | null;
  /** Its full location; null: none, or not known. */
  path: string | null;
  /** The name of the account that owns it. */
  owner: string | null;
}

export type FactVariable = 'filename' | 'extension' | 'filepath' | 'owner';

/** Distinct sets of texts that one file is scanned with. */
export const mostSets = 32;

/**
 * What rules may ask of a file besides its bytes and their type: a set of texts for each of its names, as far as they
 * differ in what is asked for. What is not known is not in a set: the engine has the workspace's text for it, or an
 * empty one.
 */
export function variableSets(
  files: readonly FileFacts[],
  asked: ReadonlySet<string>,
): { sets: VariableTexts[]; leftOut: number } {
  const sets = new Map<string, VariableTexts>();
  for (const file of files) {
    const texts: VariableTexts = Object.fromEntries(
      Object.entries(textsOf(file)).flatMap(([name, text]) => (text !== null && asked.has(name) ? [[name, text]] : [])),
    );
    sets.set(JSON.stringify(texts), texts);
  }
  const all = [...sets.values()];
  return { sets: all.slice(0, mostSets), leftOut: Math.max(0, all.length - mostSets) };
}

/** Those of the variables that are not known of some of the files. */
export function unknownOf(files: readonly FileFacts[]): FactVariable[] {
  const missing = new Set(
    files.flatMap((file) => Object.entries(textsOf(file)).flatMap(([name, text]) => (text === null ? [name] : []))),
  );
  return factVariables.filter((name) => missing.has(name));
}

const factVariables: readonly FactVariable[] = ['filename', 'extension', 'filepath', 'owner'];

const textsOf = ({ name, path, owner }: FileFacts): Record<FactVariable, string | null> => ({
  filename: name,
  extension: name === null ? null : extensionOf(name),
  filepath: path,
  owner,
});

/**
 * With its dot and in lower case, as LOKI has it. A name has none that begins with its only dot, as in Python's
 * `os.path.splitext`.
 */
function extensionOf(name: string): string {
  const stem = name.replace(/^\.+/, '');
  const dot = stem.lastIndexOf('.');
  return dot < 0 ? '' : stem.slice(dot).toLowerCase();
}

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

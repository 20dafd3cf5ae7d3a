/** Microsoft, "PE Format": where the headers have what is told here. */
const peOffsetAt = 0x3c;
const signature = 'PE\0\0';
const fileHeader = { characteristics: 22, optional: 24 } as const;
const isDll = 0x2000;
const optionalMagic = { pe32: 0x10b, pe32plus: 0x20b } as const;
const subsystemAt = 68;
const nativeSubsystem = 1;
const firstEfiSubsystem = 10;
const lastEfiSubsystem = 13;
/** Where the data directories begin, by the kind of header; the fifteenth is the CLR header's. */
const directoriesAt = { pe32: 96, pe32plus: 112 } as const;
const clrDirectory = 14;
const directoryBytes = 8;

/**
 * Of a file that begins with MZ: "PE32 exe", "PE32+ dll", "PE32 exe .NET"; "MZ exe" where no PE header is in the head.
 */
export function portableExecutable(head: DataView): string {
  const at = head.byteLength >= peOffsetAt + 4 ? head.getUint32(peOffsetAt, true) : head.byteLength;
  if (!hasText(head, at, signature) || at + fileHeader.optional + subsystemAt + 2 > head.byteLength) return 'MZ exe';
  const optional = at + fileHeader.optional;
  const magic = head.getUint16(optional, true);
  const bits = magic === optionalMagic.pe32plus ? 'pe32plus' : 'pe32';
  if (magic !== optionalMagic[bits]) return 'MZ exe';
  const isNet = entryOf(head, optional + directoriesAt[bits] + clrDirectory * directoryBytes) !== 0;
  return [bits === 'pe32' ? 'PE32' : 'PE32+', roleOf(head, at), ...(isNet ? ['.NET'] : [])].join(' ');
}

function roleOf(head: DataView, at: number): string {
  const subsystem = head.getUint16(at + fileHeader.optional + subsystemAt, true);
  if (subsystem >= firstEfiSubsystem && subsystem <= lastEfiSubsystem) return 'efi';
  if ((head.getUint16(at + fileHeader.characteristics, true) & isDll) !== 0) return 'dll';
  return subsystem === nativeSubsystem ? 'sys' : 'exe';
}

const entryOf = (head: DataView, at: number): number => (at + 4 <= head.byteLength ? head.getUint32(at, true) : 0);

function hasText(head: DataView, at: number, text: string): boolean {
  if (at + text.length > head.byteLength) return false;
  return [...text].every((letter, index) => head.getUint8(at + index) === letter.charCodeAt(0));
}

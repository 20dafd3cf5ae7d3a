/** System V ABI, "ELF header"; where it has class, byte order, type and machine. */
const elf = { class: 4, order: 5, type: 16, machine: 18, end: 20 } as const;
const elfMachines: Readonly<Record<number, string>> = {
  2: 'SPARC',
  3: 'x86',
  4: 'm68k',
  8: 'MIPS',
  20: 'PowerPC',
  21: 'PowerPC64',
  22: 's390',
  40: 'ARM',
  42: 'SuperH',
  43: 'SPARC64',
  62: 'x86-64',
  93: 'ARC',
  183: 'ARM64',
  243: 'RISC-V',
  247: 'BPF',
  258: 'LoongArch',
};
const elfRoles: Readonly<Record<number, string>> = { 1: 'object', 4: 'core' };

/** "ELF64 x86-64", "ELF32 MIPS"; what an object or a core dump is says so. */
export function elfType(head: DataView): string {
  if (head.byteLength < elf.end) return 'ELF';
  const isLittle = head.getUint8(elf.order) !== 2;
  const bits = head.getUint8(elf.class) === 2 ? 'ELF64' : 'ELF32';
  const machine = elfMachines[head.getUint16(elf.machine, isLittle)];
  const role = elfRoles[head.getUint16(elf.type, isLittle)];
  return [bits, machine, role].filter((part) => part !== undefined).join(' ');
}

const machOMagic: Readonly<Record<number, { bits: 32 | 64; isLittle: boolean }>> = {
  0xfeedface: { bits: 32, isLittle: false },
  0xcefaedfe: { bits: 32, isLittle: true },
  0xfeedfacf: { bits: 64, isLittle: false },
  0xcffaedfe: { bits: 64, isLittle: true },
};
const machOMachines: Readonly<Record<number, string>> = {
  7: 'x86',
  0x1000007: 'x86-64',
  12: 'ARM',
  0x100000c: 'ARM64',
  18: 'PowerPC',
  0x1000012: 'PowerPC64',
};
const fatMagic = 0xcafebabe;
/** A Java class begins as a universal binary does, and has its version where that has how many it holds: from 45 on. */
const firstClassVersion = 45;
const machOHead = 8;

/** "Mach-O 64 ARM64", "Mach-O universal", "Java class"; null for none of these. mach-o/loader.h and fat.h */
export function machOType(head: DataView): string | null {
  if (head.byteLength < machOHead) return null;
  const magic = head.getUint32(0);
  if (magic === fatMagic) return head.getUint32(4) >= firstClassVersion ? 'Java class' : 'Mach-O universal';
  const kind = machOMagic[magic];
  if (kind === undefined) return null;
  const machine = machOMachines[head.getUint32(4, kind.isLittle)];
  return [`Mach-O ${kind.bits}`, machine].filter((part) => part !== undefined).join(' ');
}

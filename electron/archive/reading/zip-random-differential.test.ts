import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ArchiveRemark } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { accessTo, collected, type RawEntry, rawZip, u32 } from '../raw-zip.fixture.ts';
import { readZipAt } from './zip-random.ts';

/*
 * Archives with every oddity that malware uses, several at once, beside the programs that people open archives with.
 * What any of them takes out, we take out; and what we have and it does not is remarked on. Programs write members
 * under names of their own, so that their bytes are compared: those of each member are its own.
 */

interface Made {
  zip: Buffer;
  /** MD5s of members: programs also write what they know to be broken. */
  sums: Set<string>;
  /** For a counterexample. */
  how: string[];
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

const [centralBytes, endBytes] = [46, 22];
const encryptedFlag = 1;
const descriptorFlag = 8;

/** Member `number`, as a sound archive has it. */
function memberOf(
  number: number,
  { isStored, hasDescriptor, size }: { isStored: boolean; hasDescriptor: boolean; size: number },
): RawEntry {
  const plain = Buffer.from(`member ${number} `.repeat(size));
  const sound: RawEntry = { name: `m${number}`, plain, method: isStored ? 0 : 8 };
  if (!hasDescriptor) return sound;
  const packed = isStored ? plain : deflateRawSync(plain);
  const { crc32 } = sizesOf(sound);
  const descriptor = Buffer.concat([u32(0x08074b50), u32(crc32), u32(packed.length), u32(plain.length)]);
  return { ...sound, flags: descriptorFlag, descriptor, local: { crc32: 0, storedBytes: 0, plainBytes: 0 } };
}

const sizesOf = ({ plain = Buffer.alloc(0) }: RawEntry): { crc32: number } => ({
  crc32: rawZip([{ name: '', plain }]).readUInt32LE(14),
});

/** What is done to members, and to the archive of them. Numbers choose where. */
const oddities: Record<string, (made: Made, at: number) => void> = {
  'bytes in front': (made, at) =>
    void (made.zip = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(at % 700, 'x'), made.zip])),
  'bytes behind': (made, at) => void (made.zip = Buffer.concat([made.zip, Buffer.alloc(at % 300, 'y')])),
  'an end record that counts others': (made, at) => {
    const end = made.zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
    if (end < 0 || end + endBytes > made.zip.length) return;
    made.zip.writeUInt16LE(at % 5, end + 8);
    made.zip.writeUInt16LE(at % 5, end + 10);
  },
  'a local header of another method': (made, at) =>
    patchLocal(made, at, (zip, local) => void zip.writeUInt16LE(at % 2 === 0 ? 0 : 0x1234, local + 8)),
  'a local header that claims encryption': (made, at) =>
    patchLocal(
      made,
      at,
      (zip, local) => void zip.writeUInt16LE(zip.readUInt16LE(local + 6) | encryptedFlag, local + 6),
    ),
  'a local header of other sizes': (made, at) =>
    patchLocal(made, at, (zip, local) => void zip.writeUInt32LE(at, local + 18)),
  'a directory that claims encryption': (made, at) =>
    patchCentral(
      made,
      at,
      (zip, central) => void zip.writeUInt16LE(zip.readUInt16LE(central + 8) | encryptedFlag, central + 8),
    ),
  'an entry that the directory omits': (made, at) => {
    const centrals = offsetsOf(made.zip, 'PK\u0001\u0002');
    const central = centrals[at % Math.max(1, centrals.length)];
    const end = made.zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
    if (central === undefined || end < central || end + endBytes > made.zip.length || centrals.length < 2) return;
    const next = centrals[centrals.indexOf(central) + 1] ?? end;
    if (next > end) return;
    const zip = Buffer.concat([made.zip.subarray(0, central), made.zip.subarray(next)]);
    const moved = end - (next - central);
    zip.writeUInt16LE(Math.max(0, zip.readUInt16LE(moved + 8) - 1), moved + 8);
    zip.writeUInt16LE(Math.max(0, zip.readUInt16LE(moved + 10) - 1), moved + 10);
    zip.writeUInt32LE(Math.max(0, zip.readUInt32LE(moved + 12) - (next - central)), moved + 12);
    made.zip = zip;
  },
  'another archive behind': (made, at) => void (made.zip = Buffer.concat([made.zip, another(made, 100 + (at % 100))])),
  'another archive in front': (made, at) =>
    void (made.zip = Buffer.concat([another(made, 200 + (at % 100)), made.zip])),
  'a cut': (made, at) => void (made.zip = Buffer.from(made.zip.subarray(0, Math.max(0, made.zip.length - (at % 80))))),
};

function another({ sums }: Made, number: number): Buffer {
  const member = memberOf(number, { isStored: number % 2 === 0, hasDescriptor: false, size: 4 });
  sums.add(md5(member.plain ?? Buffer.alloc(0)));
  return rawZip([member]);
}

function offsetsOf(zip: Buffer, signature: string): number[] {
  const found: number[] = [];
  for (let at = zip.indexOf(signature, 0, 'latin1'); at >= 0; at = zip.indexOf(signature, at + 1, 'latin1'))
    found.push(at);
  return found;
}

const patchLocal = (made: Made, at: number, patch: (zip: Buffer, header: number) => void): void =>
  patchOne(made, offsetsOf(made.zip, 'PK\u0003\u0004'), at, patch);
const patchCentral = (made: Made, at: number, patch: (zip: Buffer, header: number) => void): void =>
  patchOne(made, offsetsOf(made.zip, 'PK\u0001\u0002'), at, patch);

function patchOne(
  { zip }: Made,
  offsets: readonly number[],
  at: number,
  patch: (zip: Buffer, header: number) => void,
): void {
  const header = offsets[at % Math.max(1, offsets.length)];
  // A cut may have left a part of a header.
  if (header !== undefined && header + centralBytes <= zip.length) patch(zip, header);
}

const entry = fc.record({
  isStored: fc.boolean(),
  hasDescriptor: fc.boolean(),
  size: fc.integer({ min: 1, max: 60 }),
  mark: fc.constantFrom('none', 'none', 'none', 'link', 'twice', 'folder'),
});
const archives = fc
  .tuple(
    fc.array(entry, { minLength: 1, maxLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(oddities)), fc.nat({ max: 10_000 })), { maxLength: 3 }),
  )
  .map(([entries, done]): Made => {
    const members = entries.flatMap(({ mark, ...how }, number): RawEntry[] => {
      const member = memberOf(number, how);
      if (mark === 'link') return [{ ...member, mode: 0o120777 }];
      if (mark === 'folder') return [{ ...member, name: `m${number}/` }];
      return mark === 'twice'
        ? [member, memberOf(50 + number, how)].map((one) => ({ ...one, name: `m${number}` }))
        : [member];
    });
    const made: Made = {
      zip: rawZip(members),
      sums: new Set(members.map(({ plain = Buffer.alloc(0) }) => md5(plain))),
      how: entries.map(({ mark }) => mark),
    };
    for (const [name, at] of done) {
      oddities[name]?.(made, at);
      made.how.push(`${name} (${at})`);
    }
    return made;
  });

/** MD5s of what a program takes out of each archive. */
type Program = (folder: string, archives: readonly string[]) => Promise<string[][]>;

const outputOf = promisify(execFile);
const limits = { timeout: 60_000, maxBuffer: 16 * 1024 * 1024 };

/** What it reports of a broken archive is no matter: what it takes out is. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const running = outputOf(command, args, limits);
  running.child.stdin?.end();
  await running.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
  });
}

const unpacking =
  (command: string, argsOf: (archive: string, folder: string) => string[]): Program =>
  async (folder, given) => {
    const found: string[][] = [];
    for (const archive of given) {
      const out = await mkdtemp(join(folder, 'out-'));
      await run(command, argsOf(archive, out));
      found.push(await sumsBelow(out));
    }
    return found;
  };

async function sumsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.filter((one) => one.isFile()).map(async (one) => md5(await readFile(join(one.parentPath, one.name)))),
  );
}

const sumLists = z.array(z.array(z.string()));
const pythonProgram = [
  'import hashlib, json, sys, zipfile',
  'found = []',
  'for path in sys.argv[1:]:',
  '    sums = []',
  '    try:',
  '        for info in zipfile.ZipFile(path).infolist():',
  '            try: sums.append(hashlib.md5(zipfile.ZipFile(path).read(info)).hexdigest())',
  '            except Exception: pass',
  '    except Exception: pass',
  '    found.append(sums)',
  'print(json.dumps(found))',
].join('\n');

const programs: Record<string, Program> = {
  '7z': unpacking('7z', (archive, folder) => ['x', '-y', '-bd', '-aou', '-pinfected', `-o${folder}`, archive]),
  bsdtar: unpacking('bsdtar', (archive, folder) => ['-x', '-f', archive, '-C', folder, '--passphrase', 'infected']),
  unzip: unpacking('unzip', (archive, folder) => ['-qq', '-B', '-o', '-P', 'infected', archive, '-d', folder]),
  python3: async (_, given) =>
    sumLists.parse(
      JSON.parse((await outputOf('python3', ['-W', 'ignore', '-c', pythonProgram, ...given], limits)).stdout),
    ),
};

interface Ours {
  /** Of each member, and whether anything is remarked on it. */
  members: { sum: string; isRemarked: boolean }[];
  remarks: ArchiveRemark[];
  isWhole: boolean;
}

async function ours(zip: Buffer): Promise<Ours> {
  const found: Ours = { members: [], remarks: [], isWhole: true };
  try {
    for await (const part of readZipAt(accessTo(zip), {
      archiveName: 'a.zip',
      passwords: ['infected'],
      onRemark: (remark) => found.remarks.push(remark),
    })) {
      if (part.kind === 'streamed')
        found.members.push({ sum: md5(await collected(part.chunks)), isRemarked: part.remarks.length > 0 });
      else found.isWhole = false;
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    found.isWhole = false;
  }
  return found;
}

const isInstalled = (command: string): Promise<boolean> =>
  run(command, ['--help']).then(
    () => true,
    () => false,
  );
const count = Number(env['VITRINE_DIFFERENTIAL_ARCHIVES'] ?? 60);
const installed = await Promise.all(
  Object.keys(programs).map(async (name) => [name, await isInstalled(name)] as const),
);

test.for(installed)(
  'every member that %s extracts from odd archives is read, and additional members have a remark',
  { timeout: 300_000 },
  async ([name, isThere], { skip }) => {
    skip(!isThere, `${name} is not installed`);
    const folder = temporaryFolder();
    await mkdir(join(folder, 'in'));
    const made = fc.sample(archives, count);
    const paths = made.map((_, index) => join(folder, 'in', `${index}.zip`));
    for (const [index, { zip }] of made.entries()) await writeFile(paths[index] ?? '', zip);
    const theirs = (await programs[name]?.(folder, paths)) ?? [];
    let members = 0;
    for (const [index, { zip, how, sums: real }] of made.entries()) {
      const found = await ours(zip);
      const sums = new Set(found.members.map(({ sum }) => sum));
      const known = new Set((theirs[index] ?? []).filter((sum) => real.has(sum)));
      const archive = { how, zip: zip.toString('base64') };
      expect({ ...archive, lost: [...known].filter((sum) => !sums.has(sum)) }).toEqual({ ...archive, lost: [] });
      const isSaid = found.remarks.length > 0 || !found.isWhole || found.members.some(({ isRemarked }) => isRemarked);
      expect({ ...archive, unsaid: isSaid ? [] : [...sums].filter((sum) => !known.has(sum)) }).toEqual({
        ...archive,
        unsaid: [],
      });
      expect({ ...archive, invented: [...sums].filter((sum) => !real.has(sum)) }).toEqual({ ...archive, invented: [] });
      members += known.size;
    }
    expect(members).toBeGreaterThan(count / 2);
  },
);

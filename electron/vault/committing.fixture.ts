import { hash, randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { PackIndexFile } from './packs/pack-index.fixture.ts';
import { openVault } from './vault.ts';

/**
 * A program to be killed: commits small and large samples without an end, two commits at a time, and prints the
 * SHA-256 of each group once it is committed. Its argument is the folder.
 */
const place = process.argv[2] ?? '';
const vault = await openVault(join(place, 'vault'), new PackIndexFile(join(place, 'index.json')));
const batch = vault.batch();

async function commitSome(): Promise<void> {
  const samples = Array.from({ length: 30 }, (_, index) => randomBytes(index % 10 === 0 ? 200_000 : 3000));
  await Promise.all(
    samples.map((bytes) =>
      batch.add(
        { bytes: new Uint8Array(deflateRawSync(bytes)), encoding: 'deflate-raw', sizeBytes: bytes.length, crc32: null },
        { md5: hash('md5', bytes), sha256: null },
      ),
    ),
  );
  let names: string[] = [];
  await batch.commit((kept) => {
    names = kept.map(({ sha256 }) => sha256);
  });
  if (names.length > 0) process.stdout.write(`${names.join(' ')}\n`);
}

const forever = async (): Promise<never> => {
  for (;;) await commitSome();
};
// It is killed, and Node saves the code that such a program compiled only on request.
flushCompileCache();
await Promise.all([forever(), forever()]);

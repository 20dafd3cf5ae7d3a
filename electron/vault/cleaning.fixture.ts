import { hash, randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { PackIndexFile } from './packs/pack-index.fixture.ts';
import { openVault } from './vault.ts';

/**
 * A program to be killed: commits small samples, removes half of them and cleans up, without an end, and prints what it
 * committed, what it is about to remove, and that it begins to clean up. Its argument is the folder.
 */
const place = process.argv[2] ?? '';
const vault = await openVault(join(place, 'vault'), new PackIndexFile(join(place, 'index.json')));
const report = (what: string, names: readonly string[]): unknown =>
  process.stdout.write(`${[what, ...names].join(' ')}\n`);

async function commitSome(): Promise<string[]> {
  const batch = vault.batch();
  const samples = Array.from({ length: 60 }, () => randomBytes(3000));
  await Promise.all(
    samples.map((bytes) =>
      batch.add(
        { bytes: new Uint8Array(deflateRawSync(bytes)), encoding: 'deflate-raw', sizeBytes: bytes.length, crc32: null },
        { md5: hash('md5', bytes), sha256: null },
      ),
    ),
  );
  await batch.commit(() => {});
  return samples.map((bytes) => hash('sha256', bytes));
}

// It is killed, and Node saves the code that such a program compiled only on request.
flushCompileCache();
for (;;) {
  const names = await commitSome();
  report('committed', names);
  const half = names.slice(0, 30);
  report('removing', half);
  for (const sha256 of half) await vault.remove(sha256);
  report('cleaning', []);
  await vault.cleanUp(() => false);
}

import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { readContainer, readContainerFacts } from '../container/container-file.ts';
import {
  containerOverheadBytes,
  DamagedContainerError,
  decodeContainer,
  encodeTrailer,
  encryptBody,
  newHeader,
} from '../container/container.ts';
import { factsOf, firstContainerOf } from '../container/first-container.fixture.ts';
import { collected, eicar } from '../eicar.fixture.ts';
import { ContainerWriter } from './container-writer.ts';

const run = promisify(execFile);

function containerOf(bytes: Uint8Array): Buffer {
  const header = newHeader();
  const cipher = encryptBody(header);
  return Buffer.concat([header, cipher.update(bytes), encodeTrailer(header, cipher, factsOf(bytes))]);
}

const versions = [
  ['this version', containerOf],
  ['the first version', firstContainerOf],
] as const;

const read = (path: string): Promise<Buffer> => collected(readContainer(path, null));

/** The very lines `docs/vault-format.md` gives to the reader, with the paths put in. */
async function documentedCommand(): Promise<string> {
  const page = await readFile(new URL('../../../docs/vault-format.md', import.meta.url), 'utf8');
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
  if (commands === undefined) throw new Error('docs/vault-format.md gives no commands');
  return commands;
}

test.each(versions)('openssl alone decrypts a container of %s with the documented commands', async (_, make) => {
  const folder = temporaryFolder();
  const bytes = Buffer.concat([eicar, randomBytes(100_000)]);
  await writeFile(join(folder, 'container'), make(bytes));
  await run('sh', ['-euc', await documentedCommand()], { cwd: folder });
  expect(await readFile(join(folder, 'sample'))).toEqual(bytes);
});

test.each(versions)('a container of %s is read from a file and from memory', async (_, make) => {
  const path = join(temporaryFolder(), 'container');
  for (const bytes of [Buffer.alloc(0), eicar, randomBytes(300_000)]) {
    const container = make(bytes);
    await writeFile(path, container);
    expect(await read(path)).toEqual(bytes);
    expect(await readContainerFacts(path, null)).toEqual(factsOf(bytes));
    expect(decodeContainer(container, null)).toEqual({ bytes, facts: factsOf(bytes) });
  }
});

test('a container written in pieces equals the one the reader knows', async () => {
  const path = join(temporaryFolder(), 'container');
  const writer = new ContainerWriter(path, true);
  writer.open();
  for (const piece of ['one', '', 'two', 'three']) writer.write(Buffer.from(piece));
  const facts = await writer.seal({ md5: hash('md5', 'onetwothree'), sha1: hash('sha1', 'onetwothree') });
  expect(await read(path)).toEqual(Buffer.from('onetwothree'));
  expect(await readContainerFacts(path, facts.sha256)).toEqual(facts);
  expect(facts.sha1).toBe(hash('sha1', 'onetwothree'));
});

describe('the detection of damage', () => {
  const samples = fc.uint8Array({ maxLength: 400 });

  test.each(versions)('covers one changed byte of %s, at any position', async (_, make) => {
    const path = join(temporaryFolder(), 'container');
    await fc.assert(
      fc.asyncProperty(samples, fc.nat(), fc.integer({ min: 1, max: 255 }), async (bytes, place, change) => {
        const container = make(bytes);
        const at = place % container.length;
        container[at] = (container[at] ?? 0) ^ change;
        await writeFile(path, container);
        await expect(read(path)).rejects.toBeInstanceOf(DamagedContainerError);
      }),
      { numRuns: 300 },
    );
  });

  test('covers a missing part at the end', async () => {
    const path = join(temporaryFolder(), 'container');
    await fc.assert(
      fc.asyncProperty(samples, fc.nat(), async (bytes, place) => {
        const container = containerOf(bytes);
        await writeFile(path, container.subarray(0, place % container.length));
        await expect(readContainerFacts(path, null)).rejects.toBeInstanceOf(DamagedContainerError);
      }),
      { numRuns: 200 },
    );
  });

  test('covers surplus bytes and files that are no container', async () => {
    const path = join(temporaryFolder(), 'container');
    await fc.assert(
      fc.asyncProperty(samples, fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes, more) => {
        await writeFile(path, Buffer.concat([containerOf(bytes), more]));
        await expect(read(path)).rejects.toBeInstanceOf(DamagedContainerError);
        await writeFile(path, more);
        await expect(read(path)).rejects.toBeInstanceOf(DamagedContainerError);
      }),
      { numRuns: 100 },
    );
  });

  test('gives no reader of a damaged sample as many bytes as the sample', async () => {
    const path = join(temporaryFolder(), 'container');
    const container = containerOf(randomBytes(700_000));
    container[100] = (container[100] ?? 0) ^ 1;
    await writeFile(path, container);
    let given = 0;
    const reading = (async () => {
      for await (const piece of readContainer(path, null)) given += piece.length;
    })();
    await expect(reading).rejects.toBeInstanceOf(DamagedContainerError);
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThan(700_000);
  });
});

test('a container holds the sample nowhere in plain form', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 400 }), (bytes) => {
      const container = containerOf(bytes);
      expect(container.length).toBe(bytes.length + containerOverheadBytes);
      expect(container.includes(Buffer.from(bytes))).toBe(false);
    }),
  );
});

test('a sample of only zeros does not reveal the key stream of the next one', () => {
  const [one, other] = [containerOf(Buffer.alloc(64)), containerOf(Buffer.alloc(64))];
  expect(one.subarray(16, 128)).not.toEqual(other.subarray(16, 128));
});

test('a container discarded while it waits for the disk leaves no file, and its sealing still ends', async () => {
  const path = join(temporaryFolder(), 'container');
  const writer = new ContainerWriter(path, true);
  writer.open();
  const bytes = Buffer.alloc(70 * 1024 * 1024);
  writer.write(bytes);
  const sealing = writer.seal({ md5: hash('md5', bytes), sha1: hash('sha1', bytes) });
  await writer.discard();
  expect((await sealing).sha256).toBe(hash('sha256', bytes));
  await expect(readFile(path)).rejects.toThrow(/ENOENT/);
});

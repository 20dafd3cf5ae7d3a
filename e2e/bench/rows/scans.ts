import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { type Held, median, type Row } from '../row.ts';
import { layScanSet, type ScanSet } from '../scan-set.ts';

type Engine = 'native' | 'wasm';
const counts = (quick: boolean): number => (quick ? 1 : 5);

/**
 * From the start of the hunt to its end, with the start of the engine and its compiling, against a `yara` that does the
 * same.
 */
function huntRow(
  name: string,
  engine: Engine,
  { size, aim, must, limit }: { size: Parameters<typeof layScanSet>[1]; aim: number; must: number; limit: string },
): Row {
  return {
    name: `${name}-${engine}`,
    reference:
      `yara -p 2 of the same ${size.rules} rules ` +
      `over the same ${size.files.toLocaleString('en')} files, unencrypted`,
    limit,
    aim,
    must,
    residentMustMiB: null,
    async measure({ folder, quick }) {
      const set = await layScanSet(folder, size);
      const ratios: number[] = [];
      for (let count = 0; count < counts(quick); count += 1)
        ratios.push((await hunt(folder, set, engine)) / (await yara(set)));
      return { ratio: median(ratios), residentMiB: null };
    },
  };
}

const hunted = z.object({ seconds: z.number(), done: z.number(), hits: z.number(), engine: z.string() });

async function hunt(folder: string, set: ScanSet, engine: Engine): Promise<number> {
  const data = await stocked(folder, set);
  const ours = hunted.parse(
    JSON.parse(await runEntry('electron/bench.ts', ['hunt', '--data', data, '--rules', set.rules, '--engine', engine])),
  );
  await rm(data, { recursive: true });
  if (ours.hits !== set.hits || ours.engine !== engine)
    throw new Error(`${ours.engine} hit ${ours.hits} files, and ${set.hits} are to be hit`);
  return ours.seconds;
}

async function stocked(folder: string, set: ScanSet): Promise<string> {
  const data = join(folder, 'data');
  await mkdir(data);
  await runEntry('electron/bench.ts', ['stock', '--data', data, '--files', set.files]);
  return data;
}

async function yara(set: ScanSet): Promise<number> {
  const begun = performance.now();
  const printed = await run('yara', ['-p', '2', set.rules, set.files]);
  const seconds = (performance.now() - begun) / 1000;
  const hits = printed.split('\n').filter((line) => line !== '').length;
  if (hits !== set.hits) throw new Error(`yara hit ${hits} files, and ${set.hits} are to be hit`);
  return seconds;
}

const large = { files: 200, bytesEach: 1024 * 1024, rules: 200 };
export const scan200Native = huntRow('scan-200', 'native', {
  size: large,
  aim: 1,
  must: 1.5,
  limit:
    'The engine: for more than a hundred strings its search follows one link after the other, 7.5 ns of processor ' +
    "time per byte to yara's 6.4, which alone comes to 1.2. Two processes start and compile while the hunt is " +
    'planned, as in the page, and are included; decryption and verification take a twentieth.',
});
export const scan200Wasm = huntRow('scan-200', 'wasm', {
  size: large,
  aim: 3,
  must: 4,
  limit: 'The engine: in WebAssembly the same search takes three to four times as long as natively.',
});

const small = { files: 10_000, bytesEach: 4096, rules: 5 };
export const hunt10kNative = huntRow('hunt-10k', 'native', {
  size: small,
  aim: 3,
  must: 6,
  limit:
    'The cost of each file in addition to its bytes: a message in each direction, and its rows in job and ' +
    'library; yara stores nothing. Starting two engines takes 0.1 s more.',
});
export const hunt10kWasm = huntRow('hunt-10k', 'wasm', {
  size: small,
  aim: 100,
  must: 150,
  limit:
    'The engine: in WebAssembly each scan has a fixed cost, whatever the size of the file, which grows with the ' +
    'number of rules.',
});

/** Scans in a round; the memory after the first one is what that after all of them is held against. */
const round = { files: 500, bytesEach: 4096, rules: 50 };
const rounds = 10;

/** Of the whole program; the engines are processes of their own, which are not counted. */
function memoryRow(engine: Engine): Row {
  return {
    name: `scan-memory-${engine}`,
    reference: 'resident memory of the program after 500 scans; ours after 5,000, each after garbage collection',
    limit: "The engine's memory is in a process of its own.",
    aim: null,
    must: 1.2,
    residentMustMiB: null,
    async measure({ folder }) {
      const set = await layScanSet(folder, round);
      const data = await stocked(folder, set);
      const { first, last } = held.parse(
        JSON.parse(
          await runEntry('electron/bench.ts', [
            'scan-memory',
            '--data',
            data,
            '--rules',
            set.rules,
            '--engine',
            engine,
            '--rounds',
            String(rounds),
          ]),
        ),
      );
      return {
        ratio: last.resident / first.resident,
        residentMiB: last.resident,
        held: [heapHeld(first.heap, last.heap)],
      };
    },
  };
}

const holding = z.object({ resident: z.number(), heap: z.number() });
const held = z.object({ first: holding, last: holding });
/** Code that was compiled meanwhile is less; half a KiB that each scan left behind it is more. */
const heapMust = 1.1;

const heapHeld = (first: number, last: number): Held => ({
  what: `heap, 5,000 scans to 500 (${last.toFixed(1)} MiB to ${first.toFixed(1)})`,
  value: last / first,
  must: heapMust,
});

export const scanMemoryNative = memoryRow('native');
export const scanMemoryWasm = memoryRow('wasm');

import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addToCorpus, readCorpus } from './corpus.ts';
import { endAttacks, fuzz, type FuzzOutcome } from './fuzzing.ts';
import { figuresPart, targetsPart } from './fuzzing-document.ts';
import { outcomeLine, tableHead } from './outcome-table.ts';
import { loadTarget, targetNames } from './targets.ts';

const document = fileURLToPath(new URL('../../docs/fuzzing.md', import.meta.url));
const attacker = fileURLToPath(new URL('attacker.ts', import.meta.url));
const limits = { hangSeconds: 30, mostMiB: 800 };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Asked {
  chosen: readonly string[];
  seconds: number;
  seed: number;
  writes: boolean;
}

function readArguments(): Asked {
  const anySeed = String(Date.now() % 1_000_000_000);
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: anySeed },
      write: { type: 'boolean', default: false },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  if (!(seconds > 0)) throw new RangeError(`"${values.seconds}" is no number of seconds.`);
  if (!Number.isInteger(seed)) throw new RangeError(`"${values.seed}" is no whole number.`);
  const chosen = targetNames.filter((name) => values.only === undefined || name === values.only);
  if (chosen.length === 0)
    throw new RangeError(`There is no target "${values.only}". There are: ${targetNames.join(', ')}.`);
  return { chosen, seconds, seed, writes: values.write };
}

async function attacked(name: string, seconds: number, seed: number): Promise<FuzzOutcome> {
  const outcome = await fuzz({
    target: await loadTarget(name),
    corpus: readCorpus(name),
    attacker,
    seconds,
    seed,
    ...limits,
  });
  if (outcome.found && !outcome.found.isKept) addToCorpus(name, { why: outcome.found.why, input: outcome.found.input });
  return outcome;
}

/**
 * `npm run fuzz -- [--seconds N] [--only NAME] [--seed N] [--write]`, a target on each processor at a time: 0 when all
 * held, 1 when not, 2 for wrong arguments.
 */
async function main(): Promise<void> {
  const { chosen, seconds, seed, writes } = readArguments();
  print(`seed ${seed}`);
  print(tableHead);
  const outcomes: FuzzOutcome[] = [];
  const waiting = [...chosen];
  const attackOn = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await attacked(name, seconds, seed);
      outcomes.push(outcome);
      print(outcomeLine(outcome));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, attackOn));
  const before = await readFile(document, 'utf8');
  if (writes) await writeFile(document, `${await targetsPart()}\n${figuresPart(outcomes, seconds, before)}`);
  const isWritten = (await readFile(document, 'utf8')).startsWith(await targetsPart());
  if (!isWritten) print('docs/fuzzing.md is of other targets or other finds: npm run fuzz -- --write');
  process.exitCode = isWritten && outcomes.every(({ found }) => found === null) ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endAttacks();
    process.exit(1);
  });
}
await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof RangeError || (error instanceof TypeError && 'code' in error) ? 2 : 1;
});

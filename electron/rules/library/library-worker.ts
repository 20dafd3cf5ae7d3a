import { parentPort } from 'node:worker_threads';
import type { RuleWarning } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import { arrangedRules } from '../arranged-rules.ts';
import { compileGate } from '../gate/compile-gate.ts';
import { explainRule } from '../gate/explain-rule.ts';
import { brokenNamedAtMost, type RuleFile } from '../package-files.ts';
import { parsePackage } from '../parse-package.ts';
import { indexPackage } from './indexed-package.ts';
import { answerTo, contentsOf } from './library-answers.ts';
import {
  type Answer,
  type FromLibrary,
  NotLoadedError,
  type Order,
  type Question,
  type ToLibrary,
} from './library-messages.ts';
import { LoadedPackages } from './loaded-packages.ts';
import { usablePieces } from './usable-rules.ts';

/**
 * Holds the text of packages and answers for them. The gate compiles in threads of its own: others are answered
 * meanwhile.
 */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
const packages = new LoadedPackages();
/** The user waits, and types on. */
const checkLimits = { fileSeconds: 5, ruleSeconds: 5, totalSeconds: 10 };
const mostChecked = 200;
const gates = new Map<number, AbortController>();
const arrived = new Map<number, RuleFile[]>();
/** Each gate has several engines: with many workspaces, those of all would run at once when a release comes. */
const mutex = new Mutex();

const print = (message: FromLibrary): void => port.postMessage(message);

async function gate(
  number: number,
  { key, unread, loads, isRelaxed, variables }: Extract<Order, { kind: 'gate' }>,
): Promise<Answer> {
  const { parsed } = loads ? packages.load(key, filesFor(number), null) : packages.get(key);
  const controller = new AbortController();
  const { signal } = controller;
  gates.set(number, controller);
  try {
    let warnings: RuleWarning[] = [];
    const found = await mutex.runUnlessAborted(signal, () =>
      compileGate(parsed, {
        signal,
        isRelaxed,
        variables,
        onProgress: (done, total) => print({ number, kind: 'progress', done, total }),
        onWarnings: (all) => (warnings = all),
      }),
    );
    const reported = new Set(found.map(({ file, text }) => JSON.stringify([file, text])));
    const broken = [...unread.filter(({ file, text }) => !reported.has(JSON.stringify([file, text]))), ...found];
    const { usable } = packages.judge(key, parsed, { broken, warnings });
    return {
      kind: 'gate',
      rules: usable.size,
      namespaces: parsed.namespaces.length,
      broken: broken.slice(0, brokenNamedAtMost),
      brokenTotal: broken.length,
      warnings,
      keys: packages.keys(),
    };
  } finally {
    gates.delete(number);
  }
}

/** What is compiled here pushes no package out. */
async function check(number: number, { isRelaxed, variables }: Extract<Order, { kind: 'check' }>): Promise<Answer> {
  const parsed = parsePackage(filesFor(number));
  const controller = new AbortController();
  gates.set(number, controller);
  try {
    let warnings: RuleWarning[] = [];
    const broken = await mutex.runUnlessAborted(controller.signal, () =>
      compileGate(parsed, {
        signal: controller.signal,
        isRelaxed,
        variables,
        limits: checkLimits,
        onWarnings: (all) => (warnings = all),
      }),
    );
    const pack = indexPackage(parsed, broken, warnings);
    const { imports, rules } = usablePieces(pack, 0);
    return {
      kind: 'check',
      checked: {
        broken: broken.slice(0, mostChecked),
        warnings: warnings.slice(0, mostChecked),
        names: [...pack.usable.keys()],
        pieces: { imports, rules },
      },
    };
  } finally {
    gates.delete(number);
  }
}

async function answer(number: number, question: Question | Order): Promise<Answer> {
  if (question.kind === 'gate') return gate(number, question);
  if (question.kind === 'check') return check(number, question);
  if (question.kind === 'arrange')
    return { kind: 'arrange', arranged: filesFor(number).map(({ bytes }) => arrangedRules(bytes)) };
  if (question.kind === 'explain')
    return {
      kind: 'explain',
      explanation: await explainRule(packages.get(question.key), question.number, question.variables),
    };
  if (question.kind !== 'load') return answerTo(question, packages);
  const pack = packages.load(question.key, filesFor(number), question.judged);
  return { kind: 'load', contents: contentsOf(pack), keys: packages.keys() };
}

async function answered(number: number, question: Question | Order): Promise<FromLibrary> {
  try {
    return { number, kind: 'answer', answer: await answer(number, question) };
  } catch (error) {
    if (error instanceof FailureError) return { number, kind: 'failed', failure: error.failure };
    if (error instanceof NotLoadedError) return { number, kind: 'not-loaded', key: error.key };
    return { number, kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function filesFor(number: number): RuleFile[] {
  const files = arrived.get(number) ?? [];
  arrived.delete(number);
  return files;
}

function collect(number: number, files: readonly RuleFile[]): void {
  const all = arrived.get(number) ?? [];
  for (const file of files) all.push(file);
  arrived.set(number, all);
}

/** What is under way ends; files that came ahead of a question which will not follow are let go. */
function forget(number: number): void {
  gates.get(number)?.abort();
  arrived.delete(number);
}

function receive(message: ToLibrary): void {
  const { number } = message;
  if (message.kind === 'cancel') forget(number);
  else if (message.kind === 'files') collect(number, message.files);
  else void answered(number, message.question).then(print);
}

port.on('message', receive);

import type { RuleExplanation } from '../../../shared/domain/rule-review.ts';
import { FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../threads/worker-start.ts';
import { readEngineError } from '../engine/engine-error.ts';
import { withRelaxedRegexes } from '../engine/relaxed-regexes.ts';
import { conventionalVariables } from '../engine/yara-compiler.ts';
import { yaraXModule } from '../engine/yara-x.ts';
import { cutText } from '../library/cut-text.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { ruleAt, textOf } from '../library/rule-rows.ts';
import { gateLimits } from './gate-limits.ts';

export interface ExplainTask {
  module: WebAssembly.Module;
  variables: readonly string[];
  /** A source that compiles: imports, and a stand-in for each rule that is used. */
  before: string;
  /** As many lines down as in its file. */
  rule: string;
  /** The same with relaxed regular expressions. */
  relaxed: string;
}

export interface Explained {
  /** In the engine's words, the first fault first; none: it compiles. */
  errors: string[];
  isRelaxable: boolean;
}

const mostCharacters = 4000;

/**
 * Compiles one rule of a package again, in a thread that is ended when it takes too long, to have the engine's words in whole. They quote the rule.
 * @throws FailureError `rule-missing`; `worker-ended` where the engine ends of it, or does not end
 */
export async function explainRule(pack: IndexedPackage, number: number): Promise<RuleExplanation> {
  const rule = ruleAt(pack, number);
  const text = '\n'.repeat(rule.line - 1) + textOf(pack, rule).slice(rule.start, rule.end);
  const variables = conventionalVariables.filter((name) => !pack.usable.has(name));
  const { errors, isRelaxable } = await explained({ module: await yaraXModule(), variables, before: beforeOf(pack, rule.uses), rule: text, relaxed: withRelaxedRegexes(text) });
  const [first] = errors;
  if (first === undefined) return { text: null, isCut: false, line: null, isRelaxable };
  const whole = errors.join('\n\n');
  return { text: cutText(whole, mostCharacters), isCut: whole.length > mostCharacters, line: readEngineError(first)?.line ?? null, isRelaxable };
}

/** A rule is true or false to whoever uses it: what it says itself does not matter. */
function beforeOf({ parsed, usable, broken }: IndexedPackage, uses: readonly string[]): string {
  const refused = new Set(broken.flatMap(({ broken: each }) => (each.rule === null && each.kind === 'engine' ? [`${each.line} ${each.file}`] : [])));
  const modules = new Set(parsed.files.flatMap(({ path, imports }) => imports.filter(({ line }) => !refused.has(`${line} ${path}`)).map(({ value }) => value)));
  const rules = uses.filter((name) => usable.has(name));
  return [...[...modules].map((name) => `import "${name}"`), ...rules.map((name) => `rule ${name} { condition: true }`)].join('\n');
}

async function explained(task: ExplainTask): Promise<Explained> {
  const { promise, resolve, reject } = Promise.withResolvers<Explained>();
  const ended = (code: string): void => reject(new FailureError({ kind: 'worker-ended', task: 'compiling rules', code }));
  const worker = startWorker({ entry: './explain-worker', beside: import.meta.url, onEnd: ended });
  const timer = setTimeout(() => ended('slow'), (gateLimits.startSeconds + gateLimits.ruleSeconds) * 1000);
  worker.on('message', resolve);
  worker.postMessage(task);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

import type { RuleExplanation } from '../../../shared/domain/rule-review.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { cutText } from '../../../shared/domain/visible-text.ts';
import { FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import { withRelaxedRegexes } from '../engine/rule-rewrites.ts';
import { readEngineError } from '../engine/scan-engine.ts';
import { yaraXModule } from '../engine/yara-x.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { ruleAt, textOf } from '../library/rule-views.ts';
import { bindRules, type RuleInstance, textForEngine, usedBy } from '../rule-binding.ts';
import { definedVariables } from '../scanning/post-program.ts';
import { gateLimits } from './gate-threads.ts';

export interface ExplainTask {
  module: WebAssembly.Module;
  variables: readonly RuleVariable[];
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
 * Compiles one rule of a package again, in a thread that is ended when it takes too long, to have the engine's words in
 * whole. They quote the rule. `own`: variables of the workspace.
 * @throws FailureError `rule-missing`; `worker-ended` where the engine ends of it, or does not end
 */
export async function explainRule(
  pack: IndexedPackage,
  number: number,
  own: readonly RuleVariable[],
): Promise<RuleExplanation> {
  const rule = ruleAt(pack, number);
  const source = textOf(pack, rule);
  const { instances } = bindRules(pack.parsed, (each) => each !== rule && pack.brokenOf.has(each.number));
  // A rule that uses a broken rule has no meaning for an engine: then it is compiled as it is, and without that one.
  const instance = instances.find((each) => each.rule === rule) ?? null;
  const text =
    '\n'.repeat(rule.line - 1) +
    (instance === null ? source.slice(rule.start, rule.end) : textForEngine(instance, source, { isGuarded: false }));
  const identifiers = new Set(instances.map(({ identifier }) => identifier));
  const variables = definedVariables(own, (name) => identifiers.has(name));
  const before = beforeOf(pack, instance === null ? [] : [...usedBy(instance)]);
  const { errors: found, isRelaxable } = await explained({
    module: await yaraXModule(),
    variables,
    before,
    rule: text,
    relaxed: withRelaxedRegexes(text),
  });
  const errors = instance === null ? found : found.map((each) => asWritten(each, instance));
  const [first] = errors;
  if (first === undefined) return { text: null, isCut: false, line: null, isRelaxable };
  const whole = errors.join('\n\n');
  return {
    text: cutText(whole, mostCharacters),
    isCut: whole.length > mostCharacters,
    line: readEngineError(first)?.line ?? null,
    isRelaxable,
  };
}

/** A rule is true or false to the rules that use it: its own content does not matter. */
function beforeOf({ parsed, broken }: IndexedPackage, used: readonly RuleInstance[]): string {
  const refused = new Set(
    broken.flatMap(({ broken: each }) =>
      each.rule === null && each.kind === 'engine' ? [`${each.line} ${each.file}`] : [],
    ),
  );
  const modules = new Set(
    parsed.files.flatMap(({ path, imports }) =>
      imports.filter(({ line }) => !refused.has(`${line} ${path}`)).map(({ value }) => value),
    ),
  );
  return [
    ...[...modules].map((name) => `import "${name}"`),
    ...used.map(({ identifier }) => `rule ${identifier} { condition: true }`),
  ].join('\n');
}

/** The engine quotes identifiers that it was given: here they are as the file has them. */
function asWritten(text: string, instance: RuleInstance): string {
  let words = text;
  for (const { identifier, rule } of [instance, ...usedBy(instance)])
    if (identifier !== rule.name) words = words.replaceAll(new RegExp(`\\b${identifier}\\b`, 'g'), rule.name);
  return words;
}

async function explained(task: ExplainTask): Promise<Explained> {
  const { promise, resolve, reject } = Promise.withResolvers<Explained>();
  const ended = (code: string): void =>
    reject(new FailureError({ kind: 'worker-ended', task: 'compiling rules', code }));
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

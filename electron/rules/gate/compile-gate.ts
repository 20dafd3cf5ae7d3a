import type { BrokenRule, RuleWarning } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { FailureError } from '../../../shared/failure.ts';
import { yaraXModule } from '../engine/yara-x.ts';
import { rulesMeant } from '../library/indexed-package.ts';
import { warningsNamedAtMost } from '../package-files.ts';
import type { ParsedPackage, ParsedRule } from '../parsed-package.ts';
import { bindRules, type RuleInstance, usedBy } from '../rule-binding.ts';
import { fewestRules, GatePlan } from './gate-plan.ts';
import { GateRun } from './gate-run.ts';
import { type GateLimits, gateLimits, GateThreads } from './gate-threads.ts';
import { knownMisses } from './known-misses.ts';

export interface GateOptions {
  signal?: AbortSignal;
  /** In rules, at most ten times a second and at the end. */
  onProgress?(done: number, total: number): void;
  limits?: Partial<GateLimits>;
  /**
   * What the engine warns of in rules that are not broken, and what YARA-X is known to miss there, by file and line:
   * once, at the end.
   */
  onWarnings?(warnings: RuleWarning[]): void;
  /** Regular expressions of YARA 4 that YARA-X by itself refuses are compiled too. */
  isRelaxed?: boolean;
  /** That the workspace defines. */
  variables?: readonly RuleVariable[];
}

/**
 * Compiles the package with YARA-X as a scan does, with the conventional variables and those of the workspace defined:
 * each rule once for each meaning it has in its namespaces, all of them in one namespace of the engine.
 * @returns all that is broken, what was seen without an engine too, by file and then by line; each rule once
 * @throws FailureError `cancelled`; `worker-ended` when there can be no engine at all. No thread outlives the call.
 */
export async function compileGate(
  parsed: ParsedPackage,
  { signal, onProgress, limits, isRelaxed = false, variables = [], onWarnings }: GateOptions,
): Promise<BrokenRule[]> {
  if (signal?.aborted === true) throw new FailureError({ kind: 'cancelled' });
  const all = { ...gateLimits, ...limits };
  const threads = new GateThreads({
    ahead: Math.ceil(parsed.rules.length / fewestRules),
    startMs: all.startSeconds * 1000,
  });
  const meant = rulesMeant(parsed, parsed.broken);
  const { instances } = bindRules(parsed, (rule) => meant.has(rule));
  const plan = new GatePlan(parsed, instances, isRelaxed);
  const broken = [...parsed.broken];
  try {
    if (plan.total > 0 || plan.statements.length > 0) {
      const run = new GateRun({
        plan,
        module: await yaraXModule(),
        limits: all,
        variables,
        threads,
        onDone: paced(onProgress),
      });
      const { imports, rules, warnings } = await run.finish(signal);
      onWarnings?.(
        [
          ...missesOf(
            instances.filter((instance) => !rules.has(instance)),
            parsed,
          ),
          ...warnings,
        ]
          .slice(0, warningsNamedAtMost)
          .toSorted((a, b) => byText(a.file, b.file) || a.line - b.line),
      );
      const own = withoutUsers(rules);
      broken.push(...imports, ...own.values());
      for (const rule of own.keys()) meant.add(rule);
    }
    broken.push(...bindRules(parsed, (rule) => meant.has(rule)).broken);
  } finally {
    await threads.close();
  }
  onProgress?.(plan.total, plan.total);
  return broken.toSorted((a, b) => byText(a.file, b.file) || a.line - b.line);
}

/**
 * Without instances that the engine refuses because they use such a one. A rule that is refused in one of its
 * namespaces is so in all.
 */
export function withoutUsers(refused: ReadonlyMap<RuleInstance, BrokenRule>): Map<ParsedRule, BrokenRule> {
  const own = new Map<ParsedRule, BrokenRule>();
  for (const [instance, broken] of refused) {
    const isUser = [...usedBy(instance)].some((used) => refused.has(used));
    if (!isUser && !own.has(instance.rule)) own.set(instance.rule, broken);
  }
  return own;
}

/** A rule may have several instances. */
function missesOf(instances: readonly RuleInstance[], { files }: ParsedPackage): RuleWarning[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return [...new Set(instances.map(({ rule }) => rule))].flatMap((rule) =>
    knownMisses(texts.get(rule.file) ?? '', rule),
  );
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const paceMs = 100;

function paced(onProgress: GateOptions['onProgress']): (done: number, total: number) => void {
  let next = 0;
  return (done, total) => {
    const now = performance.now();
    if (now < next || done === total) return;
    next = now + paceMs;
    onProgress?.(done, total);
  };
}

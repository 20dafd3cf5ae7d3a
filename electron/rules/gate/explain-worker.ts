import { parentPort } from 'node:worker_threads';
import { Compiler } from '@virustotal/yara-x';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { lowerPriority } from '../../base/workers.ts';
import { withLiterals } from '../engine/variable-literals.ts';
import { definePortable, loadEngine } from '../engine/yara-compiler.ts';
import type { Explained, ExplainTask } from './explain-rule.ts';

/** Compiles one rule twice and reports the engine's answers. An error that is no verdict on the rule ends it. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

function explain({ module, variables, before, rule, relaxed }: ExplainTask): Explained {
  loadEngine(module);
  const strict = errorsOf(variables, before, rule);
  return {
    errors: strict,
    isRelaxable: strict.length > 0 && relaxed !== rule && errorsOf(variables, before, relaxed).length === 0,
  };
}

/** For this rule alone: everything before it compiles. */
function errorsOf(variables: readonly RuleVariable[], before: string, rule: string): string[] {
  const compiler = new Compiler();
  try {
    const literals = definePortable(compiler, variables);
    compiler.addSource(before);
    compiler.addSource(withLiterals(rule, literals));
    return [];
  } catch (error) {
    const { errors } = compiler;
    if (errors.length === 0) throw error;
    return errors;
  } finally {
    compiler.free();
  }
}

port.on('message', (task: ExplainTask) => port.postMessage(explain(task)));

import { setImmediate } from 'node:timers/promises';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { conventionalVariables, isConventionalVariable } from '../../../shared/domain/conventional-variables.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { askingRules } from './asking-rules.ts';
import type { ToLane } from './lane-messages.ts';
import type { RuleProgram } from './rule-program.ts';
import type { ScanLane } from './scan-lane.ts';

const partCharacters = 256 * 1024;

/**
 * Has a lane compile the program, which it is told in parts: one message with all rules would keep the host's thread from its other work.
 * `own`: variables of the workspace.
 */
export async function postProgram(lane: ScanLane, engine: LocalEngine, program: RuleProgram, own: readonly RuleVariable[]): Promise<void> {
  for (const message of messagesOf(engine, program, own)) {
    lane.post(message);
    if (message.kind !== 'compile') await setImmediate();
  }
}

function* messagesOf(engine: LocalEngine, { pieces, reported }: RuleProgram, own: readonly RuleVariable[]): Generator<ToLane<never>, void, undefined> {
  const asking = askingRules(pieces);
  const rules = new Set(pieces.rules.map(({ name }) => name));
  for (const text of partsOf(pieces.imports, pieces.rules)) yield { kind: 'source', text };
  if (asking.names.size > 0) for (const text of partsOf(asking.pieces.imports, asking.pieces.rules)) yield { kind: 'asking', text };
  const isAll = reported.length === pieces.rules.filter(({ isPrivate }) => !isPrivate).length;
  yield {
    kind: 'compile', engine, variables: definedVariables(own, (name) => rules.has(name)), asking: [...asking.names], typed: asking.by.has('filetype'),
    reported: isAll ? null : reported,
  };
}

/** The conventional ones, with what the workspace has for them, and its own. A rule may bear the name of a variable, which then is not one. */
export function definedVariables(own: readonly RuleVariable[], isRule: (name: string) => boolean): RuleVariable[] {
  const defaults = new Map(own.map((variable) => [variable.name, variable]));
  const conventional = conventionalVariables.map((name): RuleVariable => defaults.get(name) ?? { name, type: 'text', value: '' });
  return [...conventional, ...own.filter(({ name }) => !isConventionalVariable(name))].filter(({ name }) => !isRule(name));
}

function* partsOf(imports: readonly string[], rules: readonly { text: string }[]): Generator<string, void, undefined> {
  let part = imports.map((module) => `import "${module}"`);
  let characters = 0;
  for (const { text } of rules) {
    part.push(text);
    characters += text.length;
    if (characters < partCharacters) continue;
    yield part.join('\n');
    part = [];
    characters = 0;
  }
  yield part.join('\n');
}

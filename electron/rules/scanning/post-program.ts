import { setImmediate } from 'node:timers/promises';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { conventionalVariables } from '../engine/yara-compiler.ts';
import { identifierOf, type RulePiece } from '../rule-pieces.ts';
import type { ToLane } from './lane-messages.ts';
import { reportedIdentifiers, type RuleProgram } from './rule-program.ts';
import type { ScanLane } from './scan-lane.ts';

const partCharacters = 256 * 1024;

/** Has a lane compile the program, which it is told in parts: one message with all rules would keep the host's thread from its other work. */
export async function postProgram(lane: ScanLane, engine: LocalEngine, program: RuleProgram): Promise<void> {
  const { pieces } = program;
  const post = (message: ToLane<never>): void => lane.post(message);
  for (const text of partsOf(pieces.imports, pieces.rules)) {
    post({ kind: 'source', text });
    await setImmediate();
  }
  const reported = reportedIdentifiers(program);
  const isAll = reported.length === pieces.rules.filter(({ isPrivate }) => !isPrivate).length;
  post({ kind: 'compile', engine, variables: variablesOf(pieces.rules), reported: isAll ? null : reported });
}

/** A rule may bear the name of a variable, which then is not one. */
export function variablesOf(rules: readonly Pick<RulePiece, 'name' | 'identifier'>[]): string[] {
  const names = new Set(rules.map(identifierOf));
  return conventionalVariables.filter((name) => !names.has(name));
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

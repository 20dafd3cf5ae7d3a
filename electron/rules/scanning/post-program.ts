import { createHash } from 'node:crypto';
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
  for (const message of messagesOf(engine, program)) {
    lane.post(message);
    if (message.kind === 'source') await setImmediate();
  }
}

/** The same for two programs when a lane that compiled one of them can scan for the other: a digest of all that it was told. */
export async function programDigest(engine: LocalEngine, program: RuleProgram): Promise<string> {
  const digest = createHash('sha256');
  for (const message of messagesOf(engine, program)) {
    // The length before the text: two texts that are divided otherwise are two programs.
    if (message.kind === 'source') digest.update(`${message.text.length} `).update(message.text);
    else digest.update(JSON.stringify(message));
    await setImmediate();
  }
  return digest.digest('hex');
}

function* messagesOf(engine: LocalEngine, program: RuleProgram): Generator<ToLane<never>, void, undefined> {
  const { pieces } = program;
  const reported = reportedIdentifiers(program);
  for (const text of partsOf(pieces.imports, pieces.rules)) yield { kind: 'source', text };
  const isAll = reported.length === pieces.rules.filter(({ isPrivate }) => !isPrivate).length;
  yield { kind: 'compile', engine, variables: variablesOf(pieces.rules), reported: isAll ? null : reported };
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

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  conventionalVariables,
  isConventionalVariable,
  type RuleVariable,
} from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { askingRules, identifierOf, reportedIdentifiers, type RuleProgram } from './rule-program.ts';
import type { ScanWorker, ToScanWorker } from './worker-messages.ts';

const partCharacters = 256 * 1024;

/**
 * Has a scan worker compile the program, which it receives in parts: one message with all rules would keep the host's
 * thread from its other work. `own`: variables of the workspace.
 */
export async function postProgram(
  worker: ScanWorker,
  engine: LocalEngine,
  program: RuleProgram,
  own: readonly RuleVariable[],
): Promise<void> {
  for (const message of messagesOf(engine, program, own)) {
    worker.post(message);
    if (message.kind !== 'compile') await setImmediate();
  }
}

/**
 * The same for two programs when a scan worker that compiled one of them can scan for the other: a digest of all that
 * it receives. `own` as for `postProgram`.
 */
export async function programDigest(
  engine: LocalEngine,
  program: RuleProgram,
  own: readonly RuleVariable[],
): Promise<string> {
  const digest = createHash('sha256');
  for (const message of messagesOf(engine, program, own)) {
    // The length before the text: two texts that are divided otherwise are two programs.
    if (message.kind === 'source' || message.kind === 'asking')
      digest.update(`${message.kind} ${message.text.length} `).update(message.text);
    else digest.update(JSON.stringify(message));
    await setImmediate();
  }
  return digest.digest('hex');
}

function* messagesOf(
  engine: LocalEngine,
  program: RuleProgram,
  own: readonly RuleVariable[],
): Generator<ToScanWorker<never>, void, undefined> {
  const { pieces } = program;
  const reported = reportedIdentifiers(program);
  const asking = askingRules(pieces);
  const rules = new Set(pieces.rules.map(identifierOf));
  for (const text of partsOf(pieces.imports, pieces.rules)) yield { kind: 'source', text };
  if (asking.names.size > 0)
    for (const text of partsOf(asking.pieces.imports, asking.pieces.rules)) yield { kind: 'asking', text };
  const isAll = reported.length === pieces.rules.filter(({ isPrivate }) => !isPrivate).length;
  yield {
    kind: 'compile',
    engine,
    variables: definedVariables(own, (name) => rules.has(name)),
    asking: pieces.rules.filter(({ name }) => asking.names.has(name)).map(identifierOf),
    typed: asking.by.has('filetype'),
    stringsFirst: program.stringsFirst === true,
    reported: isAll ? null : reported,
  };
}

/**
 * The conventional ones, with what the workspace has for them, and its own. A rule may bear the name of a variable,
 * which then is not one.
 */
export function definedVariables(own: readonly RuleVariable[], isRule: (name: string) => boolean): RuleVariable[] {
  const defaults = new Map(own.map((variable) => [variable.name, variable]));
  const conventional = conventionalVariables.map(
    (name): RuleVariable => defaults.get(name) ?? { name, type: 'text', value: '' },
  );
  return [...conventional, ...own.filter(({ name }) => !isConventionalVariable(name))].filter(
    ({ name }) => !isRule(name),
  );
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

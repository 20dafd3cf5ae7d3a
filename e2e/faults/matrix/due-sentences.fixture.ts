import { failureExamples } from '../../../shared/failure-examples.fixture.ts';
import { readFailure } from '../../../shared/failure-kinds.ts';
import type { Failure } from '../../../shared/failure.ts';
import { type ActionName, isOfRuleEditor } from './actions.ts';
import type { FaultName } from './faults.ts';
import { askedPause, longPause } from './reply-faults.ts';
import { sentenceWords } from './seen-words.ts';

/** With these the service, or what replaces it, sends no text. */
const silent: readonly FaultName[] = [
  'status-403-empty',
  'status-404-empty',
  'status-406',
  'status-413',
  'status-500-empty',
  'status-200-empty',
];
const codes: Readonly<Record<string, string>> = { refused: 'ECONNREFUSED', reset: 'ECONNRESET', name: 'ENOTFOUND' };
const secondsOf: Readonly<Record<string, number>> = { idle: 10, stalled: 60 };

/**
 * The sentences that a person may read for a failure in the words of the table, from the program's own code: the facts
 * are those that the action and the fault decide. More than one where they leave open which request it was, or whether
 * the service's own words came along.
 */
export function dueSentences(failure: string, action: ActionName, fault: FaultName): string[] {
  const [, kind = '', detail = ''] = /^(\S+)(?: \((.*)\))?$/.exec(failure) ?? [];
  const said = saidTexts(kind, fault).flatMap((text) =>
    action.split('+').map((asked) => ({ ...factsOf({ action, fault, kind, detail }), text, action: asked })),
  );
  return said.map((facts) => sentenceWords(filled(kind, facts)));
}

/** One of its kind with the facts that are decided; the others are as in the example. */
function filled(kind: string, facts: Readonly<Record<string, unknown>>): Failure {
  const example = failureExamples.find((one) => one.kind === kind) ?? {};
  const failure = readFailure(
    Object.fromEntries(Object.entries(example).map(([name, usual]) => [name, facts[name] ?? usual])),
  );
  if (failure === null) throw new TypeError(`the table has a failure that is none of the catalogue: ${kind}`);
  return failure;
}

function saidTexts(kind: string, fault: FaultName): string[] {
  if (fault === 'status-403-with-text') return ['', 'Not enough rights'];
  return [silent.includes(fault) || kind === 'package-unreadable' ? '' : 'what came'];
}

function factsOf({
  action,
  fault,
  kind,
  detail,
}: {
  action: ActionName;
  fault: FaultName;
  kind: string;
  detail: string;
}): Record<string, unknown> {
  const isPublication = action === 'downloadpublication';
  const host = fault === 'dns-failure' ? 'http://nobody.invalid' : 'http://127.0.0.1:1';
  const address = `${host}/${isPublication && fault === 'dns-failure' ? 'package.zip' : 'api.php'}`;
  return {
    service: isOfRuleEditor(action) ? 'rule-editor' : 'repository',
    address,
    target: fault === 'redirect-elsewhere' ? `${host}/login` : address,
    // A redirect that is followed ends in another reply.
    status: kind === 'redirected' ? 302 : Number(/^status-(\d+)/.exec(fault)?.[1] ?? 200),
    name: isPublication ? 'package' : action,
    reason: detail,
    phase: detail,
    encoding: fault === 'unknown-encoding' ? 'compress' : 'gzip',
    code: codes[detail],
    seconds: secondsOf[detail],
    retryAfterSeconds: fault === 'status-503-hour' ? longPause : askedPause,
  };
}

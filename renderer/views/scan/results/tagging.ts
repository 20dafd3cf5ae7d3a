import type { OperationInput } from '../../../../shared/contract.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';

type Samples = OperationInput<'samples.tag'>['samples'];

/** What was done, and what would take exactly that back. */
export interface Tagging {
  changed: number;
  undo: readonly { samples: Samples; add: string[]; remove: string[] }[];
}

/** Sets the tags of one sample. What it had already is not taken from it by Undo. */
export async function tagOne(
  bridge: Bridge<File>,
  sha256: string,
  before: readonly string[],
  after: readonly string[],
): Promise<Result<Tagging>> {
  const samples: Samples = { kind: 'named', sha256s: [sha256] };
  const add = after.filter((tag) => !before.includes(tag));
  const remove = before.filter((tag) => !after.includes(tag));
  if (add.length + remove.length === 0) return success({ changed: 0, undo: [] });
  const answer = await bridge.call('samples.tag', { samples, add, remove });
  return answer.ok ? success({ changed: answer.value.changed, undo: [{ samples, add: remove, remove: add }] }) : answer;
}

/**
 * Gives the same tags to every sample listed, tag by tag: only a tag that none of them had can be taken back from all
 * of them without taking it from one that had it before. `total`: how many there are.
 */
export async function tagListed(
  bridge: Bridge<File>,
  samples: Samples,
  total: number,
  tags: readonly string[],
): Promise<Result<Tagging>> {
  const undo: Tagging['undo'][number][] = [];
  let changed = 0;
  for (const tag of tags) {
    const answer = await bridge.call('samples.tag', { samples, add: [tag], remove: [] });
    if (!answer.ok) return answer;
    changed = Math.max(changed, answer.value.changed);
    if (answer.value.changed === total) undo.push({ samples, add: [], remove: [tag] });
  }
  return success({ changed, undo: undo.length === tags.length ? undo : [] });
}

import type { BundleFacts } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { Terminal } from '../terminal.ts';

/** What a bundle is, and what taking it in would change. `tell` writes a line where a person reads it. */
export async function showBundle(terminal: Terminal, facts: BundleFacts, tell: (text: string) => Promise<void> | void): Promise<void> {
  if (terminal.isJson) return terminal.json(facts);
  for (const line of [...ofItself(facts), ...ofChanges(facts)]) await tell(visibleLine(line));
}

const standings = {
  own: 'this desk',
  known: 'known here: bundles of this key were taken in before',
  new: 'NEW: compare the fingerprint with whoever made it, over another way',
} as const satisfies Record<BundleFacts['signer']['standing'], string>;

const many = (count: number): string => count.toLocaleString('en');

function ofItself({ title, created, signer, samples, withBytes, bytes, parts }: BundleFacts): string[] {
  const said = Object.entries(parts).flatMap(([part, isIn]) => (isIn ? [part] : []));
  return [
    title,
    `made       ${created}`,
    `signed by  ${signer.name}  (${standings[signer.standing]})`,
    `           ${signer.fingerprint}`,
    `holds      ${many(samples)} samples, ${many(withBytes)} of them with their bytes (${many(bytes)} bytes)${said.length === 0 ? '' : `; ${said.join(', ')}`}`,
  ];
}

function ofChanges({ changes }: BundleFacts): string[] {
  const { samples, records, tags, notes, comments, tlps, rules } = changes;
  return [
    `samples    ${many(samples.new)} new, ${many(samples.same)} here already; ${many(samples.newBytes)} with bytes that are new (${many(samples.bytes)} bytes)`,
    `records    ${many(records.new)} new, ${many(records.newer)} newer, ${many(records.same)} the same, ${many(records.older)} older`,
    `tags       ${many(tags.new)} new`,
    `notes      ${many(notes.new)} new, ${many(notes.added)} put below others, ${many(notes.same)} the same`,
    `comments   ${many(comments.new)} new, ${many(comments.same)} the same`,
    `TLPs       ${many(tlps.stricter)} stricter, ${many(tlps.same)} the same`,
    `rules      ${rules === null ? 'none' : `${rules.version} (${rules.state})`}`,
  ];
}

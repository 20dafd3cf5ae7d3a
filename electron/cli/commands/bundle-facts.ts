import type { BundleFacts, BundleSigner, WorkspaceChanges } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail } from '../../../shared/failure.ts';
import type { Terminal } from '../terminal.ts';

/**
 * What a bundle is, and what taking it into a workspace would change. `tell` writes a line where a person reads it.
 * @throws FailureError `workspace-missing`
 */
export async function showBundle(
  terminal: Terminal,
  { workspaces, ...facts }: BundleFacts,
  workspaceId: string,
  tell: (text: string) => Promise<void> | void,
): Promise<void> {
  const there =
    workspaces.find((one) => one.workspaceId === workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
  const { records, comments, rules } = there;
  if (terminal.isJson)
    return terminal.json({ ...facts, workspace: workspaceId, changes: { ...facts.changes, records, comments, rules } });
  for (const line of [...ofItself(facts), ...ofChanges(facts, there)]) await tell(visibleLine(line));
}

const standings = {
  own: 'this desk',
  known: 'known here: bundles of this key were taken in before',
  new: 'NEW: compare the fingerprint with whoever made it, over another way',
} as const satisfies Record<BundleFacts['signer']['standing'], string>;

const many = (count: number): string => count.toLocaleString('en');

const standingOf = ({ standing, isNamesake }: BundleSigner): string =>
  isNamesake
    ? 'NEW, and this name is known here with ANOTHER KEY: compare the fingerprint with whoever made it, over another way'
    : standings[standing];

function ofItself({
  title,
  created,
  signer,
  samples,
  withBytes,
  bytes,
  parts,
}: Omit<BundleFacts, 'workspaces'>): string[] {
  const said = Object.entries(parts).flatMap(([part, isIn]) => (isIn ? [part] : []));
  return [
    title,
    `made       ${created}`,
    `signed by  ${signer.name}  (${standingOf(signer)})`,
    `           ${signer.fingerprint}`,
    `holds      ${many(samples)} samples, ${many(withBytes)} of them with their bytes (${many(bytes)} bytes)${said.length === 0 ? '' : `; ${said.join(', ')}`}`,
  ];
}

function ofChanges(
  { changes: { samples, tags, notes, tlps } }: Omit<BundleFacts, 'workspaces'>,
  { records, comments, rules }: WorkspaceChanges,
): string[] {
  return [
    `samples    ${many(samples.new)} new, ${many(samples.same)} here already; ${many(samples.newBytes)} with bytes that are new (${many(samples.bytes)} bytes)${leftOut(samples)}`,
    `records    ${many(records.new)} new, ${many(records.newer)} newer, ${many(records.same)} the same, ${many(records.older)} older${leftOut(records)}`,
    `tags       ${many(tags.new)} new`,
    `notes      ${many(notes.new)} new, ${many(notes.added)} put below others, ${many(notes.same)} the same`,
    `comments   ${many(comments.new)} new, ${many(comments.same)} the same`,
    `TLPs       ${many(tlps.stricter)} stricter, ${many(tlps.same)} the same`,
    `rules      ${rules === null ? 'none' : `${rules.version} (${rules.state})`}`,
  ];
}

const leftOut = ({ contradicting }: { contradicting: number }): string =>
  contradicting === 0 ? '' : `; ${many(contradicting)} contradict what is here, and are left out`;

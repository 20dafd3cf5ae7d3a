import type { BundleFacts, BundleSigner, WorkspaceChanges } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { fail } from '../../../shared/failure.ts';
import type { Terminal } from '../terminal.ts';

/**
 * What a bundle is, and what its import into a workspace would change. `tell` writes a line where a person reads it.
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
  if (terminal.isData)
    return terminal.value({
      ...facts,
      workspace: workspaceId,
      changes: { ...facts.changes, records, comments, rules },
    });
  for (const line of [...ofItself(facts), ...ofChanges(facts, there)]) await tell(visibleLine(line));
}

const standings = {
  own: 'this computer',
  known: 'known: bundles of this key were imported before',
  new: 'NEW: compare the fingerprint with its author over another channel',
} as const satisfies Record<BundleFacts['signer']['standing'], string>;

const standingOf = ({ standing, isNamesake }: BundleSigner): string =>
  isNamesake
    ? 'NEW, and this name is known with ANOTHER KEY: compare the fingerprint with its author over another channel'
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
  const { notes, threads, rules } = parts;
  const said = Object.entries({ notes, comments: threads, rules }).flatMap(([part, isIn]) => (isIn ? [part] : []));
  return [
    title,
    `created    ${created}`,
    `signed by  ${signer.name}  (${standingOf(signer)})`,
    `           ${signer.fingerprint}`,
    `contains   ${counted(samples, 'sample')}, ${many(withBytes)} with ` +
      `${withBytes === 1 ? 'its file' : 'their files'} (${counted(bytes, 'byte')})` +
      (said.length === 0 ? '' : `; ${said.join(', ')}`),
  ];
}

function ofChanges(
  { changes: { samples, tags, notes, tlps } }: Omit<BundleFacts, 'workspaces'>,
  { records, comments, rules }: WorkspaceChanges,
): string[] {
  return [
    `samples    ${many(samples.new)} new, ${many(samples.same)} already known; ` +
      `${counted(samples.newBytes, 'new sample file')} (${counted(samples.bytes, 'byte')})${leftOut(samples)}`,
    `records    ${many(records.new)} new, ${many(records.newer)} newer, ${many(records.same)} unchanged, ` +
      `${many(records.older)} older${leftOut(records)}`,
    `tags       ${many(tags.new)} new`,
    `notes      ${many(notes.new)} new, ${many(notes.added)} appended, ${many(notes.same)} unchanged`,
    `comments   ${many(comments.new)} new, ${many(comments.same)} unchanged`,
    `TLPs       ${many(tlps.stricter)} stricter, ${many(tlps.same)} unchanged`,
    `rules      ${rules === null ? 'none' : `${rules.version} (${rules.state})`}`,
  ];
}

const leftOut = ({ contradicting }: { contradicting: number }): string =>
  contradicting === 0
    ? ''
    : `; ${many(contradicting)} skipped: ${contradicting === 1 ? 'it contradicts' : 'they contradict'} local data`;

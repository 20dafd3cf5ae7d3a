import type { CommandRun } from './command.ts';
import { wrongUsage } from './exit.ts';
import { textOf } from './option-values.ts';

interface Named {
  id: string;
  name: string;
}

/**
 * The workspace of this id, or else of this name; null where there is none. @throws UsageError for a name that several
 * have
 */
export function workspaceNamed<Workspace extends Named>(
  workspaces: readonly Workspace[],
  typed: string,
): Workspace | null {
  const found = workspaces.filter(({ id }) => id === typed);
  if (found.length === 0) found.push(...workspaces.filter(({ name }) => isSameName(name, typed)));
  if (found.length > 1)
    wrongUsage(`several workspaces have this name, use an ID: ${found.map(({ id }) => id).join(', ')}`);
  return found[0] ?? null;
}

/** For a command that works on all workspaces alike: a wrong `--workspace` is an error there, too. */
export async function refuseUnknownWorkspace(run: CommandRun): Promise<void> {
  if (textOf(run.options, 'workspace') !== null) await run.workspaceId();
}

export const isSameName = (name: string, typed: string): boolean =>
  name.trim().toLowerCase() === typed.trim().toLowerCase();

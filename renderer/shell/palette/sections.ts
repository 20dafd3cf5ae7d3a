import { guessed, ranked } from '../../../shared/domain/ranking.ts';
import {
  type Command,
  type CommandsBySection,
  type CommandSection,
  commandSections,
  type FoundCommands,
} from '../../state/command.ts';

export interface ShownSection {
  name: 'recent' | CommandSection | FoundCommands['section'];
  commands: readonly Command[];
}

/** Of lists that grow with use. */
const mostOf: Partial<Record<CommandSection, number>> = { actions: 24, views: 8, workspaces: 8, jobs: 8 };
const mostRecent = 5;

const shortened = (name: CommandSection, commands: readonly Command[]): readonly Command[] =>
  commands.slice(0, mostOf[name]);

/** What a button of the view does is not offered by its name once more. */
export const notNamedIn = (here: readonly Command[], commands: readonly Command[]): Command[] =>
  commands.filter(({ title }) => here.every((command) => command.title !== title));

/** With nothing typed: all there is, and before it what was used of late. */
export function sectionsAtRest(all: CommandsBySection, recentIds: readonly string[]): ShownSection[] {
  const byId = new Map(commandSections.flatMap((name) => all[name] ?? []).map((command) => [command.id, command]));
  const recent = recentIds.flatMap((id) => byId.get(id) ?? []).slice(0, mostRecent);
  const rest = commandSections.map((name) => ({
    name,
    commands: shortened(
      name,
      (all[name] ?? []).filter((command) => !recent.includes(command)),
    ),
  }));
  return withoutEmpty([{ name: 'recent', commands: recent }, ...rest]);
}

/**
 * Made of the text itself, and meant whatever they are called: a hash before all else, words to search with before what
 * was merely guessed.
 */
const ranksOfText: Partial<Record<CommandSection, number>> = { lookUp: -1, search: guessed - 0.5 };

/** What is meant by what was typed, the section with the best one first. */
export function sectionsFor(typed: string, all: CommandsBySection): ShownSection[] {
  const sections = commandSections.map((name) => {
    const meant = ranked(typed, all[name] ?? [], ranksOfText[name]);
    return {
      name,
      best: meant[0]?.rank ?? 0,
      commands: shortened(
        name,
        meant.map(({ thing }) => thing),
      ),
    };
  });
  return withoutEmpty(sections.toSorted((a, b) => a.best - b.best).map(({ name, commands }) => ({ name, commands })));
}

/**
 * Behind everything else, each only when those before it are over: nothing moves under the cursor, and the order is
 * always the same.
 */
export function foundSections(found: readonly FoundCommands[]): ShownSection[] {
  const waits = found.findIndex(({ isOver }) => !isOver);
  const shown = waits === -1 ? found : found.slice(0, waits);
  return withoutEmpty(shown.map(({ section, commands }) => ({ name: section, commands })));
}

const withoutEmpty = (sections: readonly ShownSection[]): ShownSection[] =>
  sections.filter(({ commands }) => commands.length > 0);

import { useSyncExternalStore } from 'react';
import { byChance, ranked } from '../../../shared/domain/ranking.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import {
  type Command,
  type CommandsBySection,
  type CommandSection,
  commandSections,
  type FoundCommands,
  usePaletteContext,
} from '../../state/commands.tsx';
import { troublesOf, useFoundCommands } from './found-commands.ts';
import { useMoreCommands } from './more-commands.ts';
import {
  useHostCommands,
  useLookupCommands,
  useGoCommands,
  useTypedCommands,
  useViewActions,
  useViewCommands,
} from './navigation-commands.ts';

export interface PaletteChoices {
  sections: readonly ShownSection[];
  /** Those of all sections, in their order. */
  commands: readonly Command[];
  /** The place of the one that Enter runs; null: none yet. */
  active: number | null;
  /** What could not be searched, a line each. */
  troubles: readonly string[];
  /** Round and round. */
  move(by: 1 | -1): void;
  moveTo(end: 'first' | 'last'): void;
}

/** A command that the keys went to, with the text that it was offered for. */
export interface ChosenCommand {
  typed: string;
  id: string;
}

export interface TypedText {
  typed: string;
  /** The same once the typing rests. */
  rested: string;
}

/**
 * The choices for this text. The first is active until a key moves on, and stays so when more is found; without a text
 * none is, so that Enter alone does nothing.
 */
export function usePaletteChoices(
  { typed, rested }: TypedText,
  chosen: ChosenCommand | null,
  onChosen: (chosen: ChosenCommand) => void,
): PaletteChoices {
  const { store, recent } = usePaletteContext();
  const added = useSyncExternalStore(store.subscribe, store.added);
  const recentIds = useSyncExternalStore(recent.subscribe, recent.snapshot);
  const found = useFoundCommands(typed, rested);
  const actions = [...useViewActions(), ...added.actions];
  const all = {
    ...useTypedCommands(typed),
    actions,
    go: useGoCommands(),
    ...useHostCommands(),
    views: useViewCommands(),
    lookups: useLookupCommands(typed),
    more: notNamedIn(actions, [...added.more, ...useMoreCommands()]),
  };
  const known = typed === '' ? sectionsAtRest(all, recentIds) : sectionsFor(typed, all);
  const sections = [...known, ...foundSections(found)];
  const commands = sections.flatMap((section) => section.commands);
  const at = chosen?.typed === typed ? commands.findIndex(({ id }) => id === chosen.id) : -1;
  const first = typed === '' || commands.length === 0 ? null : 0;
  const active = at === -1 ? first : at;
  const choose = (place: number): void => {
    const command = commands.at(place % commands.length);
    if (command) onChosen({ typed, id: command.id });
  };
  return {
    sections,
    commands,
    active,
    troubles: troublesOf(found, (failure) => visibleText(sentenceFor(failure).what)),
    move: (by) => choose(active === null && by === 1 ? 0 : (active ?? 0) + by),
    moveTo: (end) => choose(end === 'first' ? 0 : -1),
  };
}

export interface ShownSection {
  name: 'recent' | CommandSection | FoundCommands['section'];
  commands: readonly Command[];
}

/** Of lists that grow with use. */
const mostOf: Partial<Record<CommandSection, number>> = { actions: 24, views: 8, lookups: 5, workspaces: 8, jobs: 8 };
const mostRecent = 5;

const shortened = (name: CommandSection, commands: readonly Command[]): readonly Command[] =>
  commands.slice(0, mostOf[name]);

/** What a button of the view does is not offered by its name once more. */
const notNamedIn = (here: readonly Command[], commands: readonly Command[]): Command[] =>
  commands.filter(({ title }) => here.every((command) => command.title !== title));

/** With nothing typed: all there is, and before it what was used of late. */
function sectionsAtRest(all: CommandsBySection, recentIds: readonly string[]): ShownSection[] {
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
 * was found by chance.
 */
const ranksOfText: Partial<Record<CommandSection, number>> = { lookUp: -1, search: byChance - 0.5 };

/** What is meant by what was typed, the section with the best one first. */
function sectionsFor(typed: string, all: CommandsBySection): ShownSection[] {
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
function foundSections(found: readonly FoundCommands[]): ShownSection[] {
  const waits = found.findIndex(({ isOver }) => !isOver);
  const shown = waits === -1 ? found : found.slice(0, waits);
  return withoutEmpty(shown.map(({ section, commands }) => ({ name: section, commands })));
}

const withoutEmpty = (sections: readonly ShownSection[]): ShownSection[] =>
  sections.filter(({ commands }) => commands.length > 0);

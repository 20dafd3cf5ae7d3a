import { useSyncExternalStore } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import type { Command } from '../../state/command.ts';
import { usePaletteContext } from '../../state/commands.tsx';
import { foundSections, notNamedIn, sectionsAtRest, sectionsFor, type ShownSection } from './sections.ts';
import { useDeskCommands } from './use-desk-commands.ts';
import { troublesOf, useFoundCommands } from './use-found-commands.ts';
import { useGoCommands } from './use-go-commands.ts';
import { useMoreCommands } from './use-more-commands.ts';
import { useTypedCommands } from './use-typed-commands.ts';
import { useViewActions } from './use-view-actions.ts';
import { useViewCommands } from './use-view-commands.ts';

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
 * What can be chosen with this text. The first is active until a key goes on, and stays so when more is found; without
 * a text none is, so that Enter alone does nothing.
 */
export function usePaletteChoices(
  { typed, rested }: TypedText,
  chosen: ChosenCommand | null,
  onChosen: (chosen: ChosenCommand) => void,
): PaletteChoices {
  const { desk, recent } = usePaletteContext();
  const added = useSyncExternalStore(desk.subscribe, desk.added);
  const recentIds = useSyncExternalStore(recent.subscribe, recent.snapshot);
  const found = useFoundCommands(typed, rested);
  const actions = [...useViewActions(), ...added.actions];
  const all = {
    ...useTypedCommands(typed),
    actions,
    go: useGoCommands(),
    ...useDeskCommands(),
    views: useViewCommands(),
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

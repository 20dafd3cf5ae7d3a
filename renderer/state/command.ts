import type { Failure } from '../../shared/failure.ts';
import type { RoomName } from './rooms.ts';

/** In this order, until what was typed says which is meant. */
export const commandSections = [
  'lookUp',
  'actions',
  'go',
  'views',
  'workspaces',
  'jobs',
  'appearance',
  'more',
  'search',
] as const;
export type CommandSection = (typeof commandSections)[number];

/** Something that can be done, as the palette shows it. Texts of a person or a service are made visible first. */
export interface Command {
  /** Known by this when it is asked for again. */
  id: string;
  title: string;
  /** There because of what was typed: not offered again by itself. */
  isOfText?: boolean;
  /** Other words it is found by. */
  keywords?: string;
  /** Behind the title: what tells it from others that are called so. */
  detail?: string;
  /** The same in figures: the beginning of a hash. */
  code?: string;
  /** At the end of the line: its key, as it is shown. */
  keys?: string;
  /** The room it leads to, which then has the focus; without one the focus goes back to where it was. */
  leadsTo?: RoomName;
  run(): void;
}

export type CommandsBySection = Readonly<Partial<Record<CommandSection, readonly Command[]>>>;

/** What a search of the host came to. */
export interface FoundCommands {
  section: 'samples' | 'rules';
  commands: readonly Command[];
  failure: Failure | null;
  /** It found something, nothing, or failed. */
  isOver: boolean;
}

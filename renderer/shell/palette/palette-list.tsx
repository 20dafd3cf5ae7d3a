import {
  ArrowRight,
  Bookmark,
  Briefcase,
  FileDigit,
  History,
  Loader,
  type LucideIcon,
  MousePointerClick,
  ScrollText,
  Search,
  Settings,
  SquareTerminal,
  SunMoon,
  Tag,
} from 'lucide-react';
import { createElement, type RefObject, useEffect, useRef } from 'react';
import { KeyCap } from '../../components/key-cap.tsx';
import { spokenKeys } from '../../keyboard/keys.ts';
import type { Command } from '../../state/commands.tsx';
import { useRested } from '../../state/pacing.ts';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import type { PaletteChoices, ShownSection } from './palette-choices.ts';
import styles from './palette.module.css';
import { text } from './strings.ts';

export interface PaletteListProps {
  id: string;
  choices: PaletteChoices;
  onChoose(command: Command): void;
}

export const optionId = (listId: string, place: number): string => `${listId}-${place}`;

/** What can be chosen, below the field. The focus stays in the field. */
export function PaletteList({ id, choices: { sections, commands, active, troubles }, onChoose }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useShownOption(list, active === null ? null : optionId(id, active));
  return (
    // A press in it does not take the focus from the field.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classNames(surface.popover, layout.stack, styles.popover)}
      onMouseDown={(event) => event.preventDefault()}
    >
      {/* A list that scrolls would be the next tab stop, and is gone as soon as the field is left. */}
      <div ref={list} id={id} role="listbox" aria-label={text.list} tabIndex={-1} className={styles.list}>
        {sections.map((section) => (
          <Section
            key={section.name}
            listId={id}
            section={section}
            commands={commands}
            active={active}
            onChoose={onChoose}
          />
        ))}
      </div>
      {commands.length === 0 && <p className={classNames(typography.note, styles.reported)}>{text.none}</p>}
      {troubles.length > 0 && (
        <div role="status">
          {troubles.map((trouble) => (
            <p key={trouble} className={classNames(typography.note, styles.reported)}>
              <bdi>{trouble}</bdi>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

interface SectionProps {
  listId: string;
  section: ShownSection;
  commands: readonly Command[];
  active: number | null;
  onChoose(command: Command): void;
}

function Section({ listId, section, commands, active, onChoose }: SectionProps) {
  const heading = `${listId}-${section.name}`;
  return (
    <div role="group" aria-labelledby={heading}>
      <div id={heading} className={classNames(typography.caption, styles.heading)}>
        {text.sections[section.name]}
      </div>
      {section.commands.map((command) => {
        const place = commands.indexOf(command);
        return (
          <Option
            key={command.id}
            id={optionId(listId, place)}
            command={command}
            isActive={place === active}
            onChoose={() => onChoose(command)}
          />
        );
      })}
    </div>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onChoose(): void;
}

function Option({ id, command, isActive, onChoose }: OptionProps) {
  const { title, detail, code, keys } = command;
  return (
    // The field has the keys and the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-keyshortcuts={keys && spokenKeys(keys)}
      className={classNames(surface.item, layout.row8, styles.option)}
      onClick={onChoose}
    >
      {createElement(iconOf(command), { className: layout.fixed, size: 14, strokeWidth: 1.6, 'aria-hidden': true })}
      <bdi className={classNames(typography.cut, styles.title)}>{title}</bdi>{' '}
      {detail !== undefined && <bdi className={classNames(typography.cut, styles.detail)}>{detail}</bdi>}
      {code !== undefined && <code className={styles.code}>{code}</code>}
      {keys !== undefined && <KeyCap>{keys}</KeyCap>}
    </div>
  );
}

/** By what an id begins with: of which kind the thing is that is chosen. */
const kindIcons: Readonly<Record<string, LucideIcon>> = {
  typed: Search,
  button: MousePointerClick,
  publications: ArrowRight,
  settings: Settings,
  view: Bookmark,
  'recent-lookup': History,
  workspace: Briefcase,
  job: Loader,
  theme: SunMoon,
  sample: FileDigit,
  rule: ScrollText,
  tag: Tag,
};

function iconOf({ id, Icon }: Command): LucideIcon {
  return Icon ?? kindIcons[id.split(':')[0] ?? ''] ?? SquareTerminal;
}

/** The active one is always in sight. */
function useShownOption(list: RefObject<HTMLElement | null>, id: string | null): void {
  useEffect(() => {
    if (id !== null) list.current?.querySelector(`#${CSS.escape(id)}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, id]);
}

const announcedAfterMs = 400;

/** How much there is to choose from, said when the typing rests. */
export function PaletteCount({ count }: { count: number | null }) {
  const rested = useRested(count, announcedAfterMs);
  return (
    <span role="status" className={aloud.only}>
      {rested === null || rested !== count ? '' : text.count(rested)}
    </span>
  );
}

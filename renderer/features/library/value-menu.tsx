import { ChevronDown, CircleSlash, Copy, Library, Search } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { QueryFieldName } from '../../../shared/domain/query-fields.ts';
import { withoutTerm, withTerm } from '../../../shared/domain/query-terms.ts';
import type { ServerSearch } from '../../../shared/domain/server-record.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { copyText } from '../../components/copy-button.tsx';
import { cutMiddle } from '../../components/format.ts';
import { AnchoredMenu, type MenuChoice } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaceNames } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import { useLibraryPlace } from './library-place.tsx';
import { useServerSearch } from './server-search.ts';
import { text } from './strings.ts';
import styles from './value-menu.module.css';

const longestShown = 40;

/** What a value can be searched for at a repository as. */
const serverFields: Readonly<Partial<Record<QueryFieldName, ServerSearch['field']>>> = {
  name: 'name',
  threat: 'threat',
  tag: 'tag',
  comment: 'comment',
  sha256: 'sha256',
};

interface ValueProps {
  field: QueryFieldName;
  /** As the library has it; untrusted text. */
  value: string;
  /** What is copied instead, such as a defanged address. */
  copied?: string;
  /** Whose repository it can be searched for at. */
  workspaceId: string;
  /** Known by this computer alone: it is searched for here, and sent to no server. */
  isLocal?: boolean;
  /** The value is drawn with a border of its own, which its arrow would not fit in. */
  isChip?: boolean;
  /** The value as it is shown: phrasing content without a control in it. */
  children: ReactNode;
}

/**
 * A value that leads on: to the samples that have it, here or at the repository, or to the clipboard, or out of the
 * search. The menu is drawn when it is opened: a page has hundreds of values.
 */
export function Value({ children, isChip = false, ...about }: ValueProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames(styles.value, isChip && styles.chip)}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {children}
        {!isChip && <ChevronDown className={styles.arrow} size={12} strokeWidth={1.6} aria-hidden="true" />}
      </button>
      {isOpen && <ValueMenu {...about} button={button} onOpenChange={setOpen} />}
    </>
  );
}

interface ValueMenuProps extends Omit<ValueProps, 'children' | 'isChip'> {
  button: RefObject<HTMLElement | null>;
  onOpenChange(isOpen: boolean): void;
}

interface ValueAction extends MenuChoice {
  run(): void;
}

function ValueMenu({ button, onOpenChange, ...about }: ValueMenuProps) {
  const actions = useValueActions(about);
  return (
    <AnchoredMenu
      anchor={button}
      label={text.valueMenu(visibleText(cutMiddle(about.value, longestShown)))}
      choices={actions}
      onOpenChange={onOpenChange}
      onChoose={(id) => {
        onOpenChange(false);
        actions.find((action) => action.id === id)?.run();
      }}
    />
  );
}

function useValueActions({
  field,
  value,
  copied,
  workspaceId,
  isLocal = false,
}: Omit<ValueProps, 'children' | 'isChip'>): ValueAction[] {
  const { openLibrary } = useNavigation();
  const [{ query }] = useLibraryPlace();
  const nameOf = useWorkspaceNames();
  const searchServer = useServerSearch(workspaceId);
  const toast = useToast();
  const sought = withTerm('', field, value);
  // No time is in it that would depend on the clock.
  const read = readLibraryQuery(sought, new Date(0));
  const terms = read.kind === 'terms' ? read.terms : [];
  const { data } = useOperation('library.totals', { queries: [[...terms]] }, { enabled: terms.length > 0 });
  const serverField = isLocal ? undefined : serverFields[field];
  const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;
  const shown = visibleText(cutMiddle(copied ?? value, longestShown));
  const samples = data?.totals[0]?.samples;
  return [
    {
      id: 'library',
      icon: <Library {...icon} />,
      text: text.searchLibrary,
      ...(samples !== undefined && { aside: text.samples(samples) }),
      run: () => openLibrary(sought),
    },
    ...(serverField === undefined || searchServer === null
      ? []
      : [
          {
            id: 'server',
            icon: <Search {...icon} />,
            text: text.searchAt(nameOf(workspaceId)),
            run: () => searchServer(serverField, value),
          },
        ]),
    {
      id: 'copy',
      icon: <Copy {...icon} />,
      text: text.copyValue(shown),
      run: () =>
        void copyText(copied ?? value).then((isCopied) =>
          toast(isCopied ? { meaning: 'ok', text: text.copiedValue(shown) } : { meaning: 'bad', text: text.notCopied }),
        ),
    },
    {
      id: 'exclude',
      icon: <CircleSlash {...icon} />,
      text: text.exclude,
      run: () => openLibrary(withoutTerm(query, field, value)),
    },
  ];
}

import { ArrowUp, Folder, HardDrive, House, TerminalSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { folderName, type FolderListing } from '../../../shared/domain/host.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './folder-dialog.module.css';
import { text as settingsText } from './strings.ts';

const { folders: text } = settingsText;
const icon = { size: 16, strokeWidth: 1.6, 'aria-hidden': true } as const;
const placeIcons = { home: <House {...icon} />, disk: <HardDrive {...icon} />, named: <TerminalSquare {...icon} /> };

interface FolderDialogProps {
  /** What it is chosen for. */
  title: string;
  /** On the button that takes it. */
  verb: string;
  /** The places to begin from. */
  places: FolderListing;
  onChoose(id: string): void;
  isPending: boolean;
  /** Why the chosen one was refused: another can be chosen. */
  failure: Failure | null;
  onClose(): void;
}

/**
 * Chooses a folder of the computer that runs Vitrine, where the system has no picker. The host lists folders with ids,
 * and the chosen id goes back: no path comes from the page.
 */
export function FolderDialog({ title, verb, places, onChoose, isPending, failure, onClose }: FolderDialogProps) {
  const [listing, setListing] = useState(places);
  const opening = useAction('host.folders', { onDone: setListing });
  const { folder, parent } = listing;
  const goTo = (id: string | null): void => opening.mutate({ folder: id });
  const up = folder === null ? null : () => goTo(parent);
  return (
    <Dialog
      title={title}
      isOpen
      wide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button
            look="primary"
            isDisabled={folder === null}
            isPending={isPending}
            onPress={() => folder !== null && onChoose(folder.id)}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className={classNames(layout.row8, styles.path)}>
        <Button size="small" isDisabled={up === null} onPress={() => up?.()}>
          <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.up}
        </Button>
        <p role="status" className={folder === null ? typography.sentence : typography.code}>
          <bdi dir="ltr">{folder === null ? text.begin : visibleText(folder.path)}</bdi>
        </p>
      </div>
      {/* Another folder is another list: the focus is at its top. */}
      <FolderList key={`list of ${folder?.id ?? 'places'}`} listing={listing} onOpen={goTo} onUp={up} />
      {listing.isCut && <p className={typography.sentence}>{text.cut(listing.folders.length)}</p>}
      {folder !== null && <NewFolder key={folder.id} parent={folder.id} onMade={setListing} />}
      {opening.error && <FailureNotice failure={opening.error} />}
      {failure && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

interface FolderListProps {
  listing: FolderListing;
  onOpen(id: string): void;
  /** null: there is nothing around it. */
  onUp: (() => void) | null;
}

/** Enter or a click opens a folder, Backspace leads out of it, and letters find one. */
function FolderList({ listing: { folder, folders }, onOpen, onUp }: FolderListProps) {
  const isEmpty = folders.length === 0;
  const list = useRef<HTMLDivElement>(null);
  // Once: with `autoFocus` an empty list of the library takes the focus back whenever it is drawn.
  useEffect(() => {
    if (isEmpty) list.current?.focus();
  }, [isEmpty]);
  return (
    // The list has the focus; it handles all other keys itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.frame}
      onKeyDown={(event) => {
        if (event.key === 'Backspace' && onUp !== null) onUp();
      }}
    >
      <ListBox
        ref={list}
        aria-label={text.list}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened for it
        autoFocus={isEmpty ? false : 'first'}
        items={folders}
        selectionMode="none"
        onAction={(id) => onOpen(String(id))}
        className={classNames(styles.list)}
        renderEmptyState={() => <span className={typography.note}>{folder === null ? text.noPlaces : text.empty}</span>}
      >
        {({ id, name, place }) => (
          <ListBoxItem
            id={id}
            textValue={visibleText(name)}
            className={classNames(layout.row8, surface.item, styles.item)}
          >
            {place === null ? <Folder {...icon} /> : placeIcons[place]}
            <bdi className={classNames(typography.cut, layout.grow)}>{visibleText(name)}</bdi>
            {place !== null && <span className={typography.hint}>{text.places[place]}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}

function NewFolder({ parent, onMade }: { parent: string; onMade(listing: FolderListing): void }) {
  const [name, setName] = useState<string | null>(null);
  const { mutate, isPending, error } = useAction('host.makeFolder', { onDone: onMade });
  if (name === null)
    return (
      <div>
        <Button size="small" look="quiet" onPress={() => setName('')}>
          {text.newFolder}
        </Button>
      </div>
    );
  const isValid = folderName.safeParse(name).success;
  const make = (): void => {
    if (isValid) mutate({ parent, name });
  };
  return (
    <div className={classNames(layout.stack8, styles.made)}>
      <TextField
        label={text.newName}
        value={name}
        onChange={setName}
        onEnter={make}
        takesFocus
        problem={name === '' || isValid ? null : text.nameProblem}
      />
      <div>
        <Button size="small" isDisabled={!isValid} isPending={isPending} onPress={make}>
          {text.make}
        </Button>
      </div>
      {error && <FailureNotice failure={error} />}
    </div>
  );
}

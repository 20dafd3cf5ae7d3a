import {
  type ChangeEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import {
  type DroppedEntry,
  type HaltedIntake,
  type IntakeProgress,
  type IntakeState,
  noIntake,
  type RefusedList,
  type RefusedList as Refused,
} from './dropped-files.ts';
import { type AddFiles, Intake } from './intake.ts';
import styles from './refused-files.module.css';
import { text } from './strings.ts';

/** Files on their way into a list of the workspace one is in: the draft of an upload, or what is to be scanned. */
export interface IntakeStore {
  /** What is on its way into the list; null when nothing is. */
  intake: IntakeProgress | null;
  /** Files that could not be taken. */
  refused: RefusedList;
  /** What ended the taking in before its end; null again with the next `take`. */
  halted: HaltedIntake | null;
  /** Files and folders from a drop or a picker. Shows their list, and continues while other views are shown. */
  take(dropped: readonly DroppedEntry[]): void;
  /** Takes nothing more; what is in the list stays. */
  stop(): void;
  dismissRefused(): void;
  dismissHalted(): void;
  /** Opens the browser's picker, to be called while a key or a button is pressed. */
  pickFiles(): void;
  pickFolder(): void;
}

interface IntakeList {
  /** What its pickers are for. */
  into: 'upload' | 'scan' | 'library';
  /** Where staged files go, the same as long as the page is open; else into the draft of an upload. */
  add?: AddFiles;
  /** Reports in any view that not all files came in. */
  haltedWords: string;
  /** Shows the list. */
  show(): void;
}

/** A store that takes files in, with its pickers, which have to be on the page to be opened. */
export function useIntakeStore({ into, add, haltedWords, show }: IntakeList): {
  store: IntakeStore;
  pickers: ReactNode;
} {
  const { state, intake } = useIntake(add, haltedWords);
  const take = useTake(intake, show);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const store = useMemo(
    (): IntakeStore => ({
      intake: state.progress,
      refused: state.refused,
      halted: state.halted,
      take,
      stop: () => intake.stop(),
      dismissRefused: () => intake.dismissRefused(),
      dismissHalted: () => intake.dismissHalted(),
      pickFiles: () => files.current?.click(),
      pickFolder: () => folder.current?.click(),
    }),
    [state, intake, take],
  );
  const pickers = (
    <>
      <FilePicker ref={files} of="files" into={into} onPick={take} />
      <FilePicker ref={folder} of="folder" into={into} onPick={take} />
    </>
  );
  return { store, pickers };
}

function useIntake(add: AddFiles | undefined, haltedWords: string): { state: IntakeState; intake: Intake } {
  const bridge = useBridge();
  const toast = useToast();
  const [state, setState] = useState(noIntake);
  const [intake] = useState(() => new Intake(bridge, setState, add));
  const { halted } = state;
  // It may have ended while another view was shown; the list shows why.
  useEffect(() => {
    if (halted !== null) toast({ meaning: 'bad', text: haltedWords });
  }, [halted, haltedWords, toast]);
  return { state, intake };
}

function useTake(intake: Intake, show: () => void): IntakeStore['take'] {
  const { current, failure } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  return useCallback(
    (dropped) => {
      if (dropped.length === 0) return;
      if (workspaceId === null) intake.halt(failure ?? { kind: 'host-gone' }, dropped.length);
      else intake.take(workspaceId, dropped);
      show();
    },
    [intake, workspaceId, failure, show],
  );
}

interface FilePickerProps {
  /** To be clicked when files are wanted. */
  ref: RefObject<HTMLInputElement | null>;
  of: 'files' | 'folder';
  /** What the files are picked for. */
  into?: 'upload' | 'scan' | 'library';
  onPick(files: readonly DroppedEntry[]): void;
}

/** The browser's picker, which only a file input opens. The input itself can be neither seen nor reached. */
export function FilePicker({ ref, of, into = 'upload', onPick }: FilePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onPick([...(currentTarget.files ?? [])]);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      data-picker={into === 'upload' ? of : `${into}-${of}`}
      onChange={take}
      {...(of === 'folder' ? { webkitdirectory: '' } : {})}
    />
  );
}

interface RefusedFilesProps {
  store: { refused: Refused; halted: HaltedIntake | null; dismissRefused(): void; dismissHalted(): void };
  /** What it means for what is there already, when it ended before its end. */
  haltedAfter(notTaken: number): string;
}

/** What did not come in: what ended it before its end, and every file that was refused, by name on demand. */
export function RefusedFiles({
  store: { refused, halted, dismissRefused, dismissHalted },
  haltedAfter,
}: RefusedFilesProps) {
  const [isListed, setListed] = useState(false);
  if (refused.count === 0 && halted === null) return null;
  return (
    <div className={classNames(layout.stack8, layout.insetLine, styles.refused)}>
      {halted && (
        <FailureNotice
          failure={halted.failure}
          after={haltedAfter(halted.notTaken)}
          action={
            <Button size="small" onPress={dismissHalted}>
              {text.dismiss}
            </Button>
          }
        />
      )}
      {refused.count > 0 && (
        <Notice
          meaning="warn"
          title={text.refusedTitle(refused.count)}
          isAlert
          actions={
            <>
              <Button size="small" aria-expanded={isListed} onPress={() => setListed(!isListed)}>
                {isListed ? text.hideThem : text.listThem}
              </Button>
              <Button size="small" look="quiet" onPress={dismissRefused}>
                {text.dismiss}
              </Button>
            </>
          }
        >
          {text.refusedThen(refused.files.length, refused.count)}
        </Notice>
      )}
      {isListed && refused.count > 0 && (
        // What scrolls has to be reached by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles.refusedList} tabIndex={0} aria-label={text.refusedTitle(refused.count)}>
          {refused.files.map(({ name, failure }, at) => {
            const { what, then } = describeFailure(failure);
            // Two files of one name may be refused alike.
            return (
              <li key={at}>
                <SampleName name={name} /> <bdi dir="ltr" className={typography.faint}>{`${what}. ${then}`}</bdi>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

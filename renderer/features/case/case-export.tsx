import { useRef, useState } from 'react';
import type { OperationInput, OperationOutput } from '../../../shared/contract.ts';
import type { PreparedCase } from '../../../shared/domain/case.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useOfferedDialog } from '../../state/app-dialogs.tsx';
import { useNoteJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type ReportedAction, useReportedWork } from '../../state/reported-action.ts';
import { text as shared } from '../../state/strings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ReadyDownload, SaveLink } from '../export/ready-download.tsx';
import styles from './case.module.css';
import { text } from './strings.ts';

/** Both ways to export a case, in each of its formats. The result is reported in the view that is open by then. */
export function useCases(onClose: () => void) {
  const offer = useOfferedDialog();
  const reportStarted = useStartedJobs();
  const start = useEach('cases.start', { failureText: text.notMade, onClose, report: reportStarted });
  const prepare = useEach('cases.prepare', {
    failureText: text.notMade,
    report: (prepared: readonly PreparedCase[], isHere) => {
      if (!isHere)
        offer({
          draw: (close) => <ReadyCases prepared={prepared} onClose={close} />,
          words: text.ready,
          verb: text.save,
        });
    },
  });
  return { start, prepare };
}

/** One after the other. Those begun before one failed continue: the next try with the same input starts after them. */
function useEach<N extends 'cases.start' | 'cases.prepare'>(
  name: N,
  reported: ReportedAction<readonly OperationOutput<N>[]>,
) {
  const bridge = useBridge();
  const done = useRef(new Map<string, OperationOutput<N>>());
  return useReportedWork(
    name,
    async (inputs: readonly OperationInput<N>[]) => {
      const outputs: OperationOutput<N>[] = [];
      for (const input of inputs) {
        const key = JSON.stringify(input);
        const output = done.current.get(key) ?? (await valueOf(bridge.call(name, input)));
        done.current.set(key, output);
        outputs.push(output);
      }
      done.current.clear();
      return outputs;
    },
    reported,
  );
}

function useStartedJobs(): (jobs: readonly Job[]) => void {
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openJob } = useNavigation();
  return (jobs) => {
    const [first, last] = [jobs[0], jobs.at(-1)];
    if (first === undefined || last === undefined) return;
    for (const job of jobs) noteJob(job);
    const words = first === last ? text.started(first.id) : text.startedAll(first.id, last.id);
    toast({ meaning: 'info', text: words, action: { text: shared.showJob, act: () => openJob(first.id) } });
  };
}

interface ReadyCasesProps {
  /** One case, in its formats; at least one. */
  prepared: readonly PreparedCase[];
  onClose(): void;
}

/** The files of a case wait for the browser, which takes one with each click. */
export function ReadyCases({ prepared, onClose }: ReadyCasesProps) {
  const [first] = prepared;
  if (first === undefined) return null;
  // The same samples in each: bytes are in an event alone.
  const notes = (
    <CaseNotes prepared={{ ...first, withoutBytes: Math.max(...prepared.map(({ withoutBytes }) => withoutBytes)) }} />
  );
  if (prepared.length === 1)
    return (
      <ReadyDownload ready={first} words={text} onClose={onClose}>
        {notes}
      </ReadyDownload>
    );
  return (
    <Dialog title={text.ready} isOpen onClose={onClose} actions={<Button onPress={onClose}>{text.close}</Button>}>
      <p className={typography.sentence}>{text.readyAll}</p>
      <ReadyFiles prepared={prepared} />
      {notes}
    </Dialog>
  );
}

function ReadyFiles({ prepared }: Pick<ReadyCasesProps, 'prepared'>) {
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const next = prepared.find(({ id }) => !saved.has(id));
  return (
    <ul className={classNames(layout.stack4, styles.files)}>
      {prepared.map((file) => (
        <li key={file.id}>
          <span>{file.fileName}</span>
          {saved.has(file.id) ? (
            <span className={typography.hint}>{text.saving}</span>
          ) : (
            <SaveLink
              ready={file}
              verb={text.saveFile}
              label={`${text.saveFile} ${file.fileName}`}
              takesFocus={file === next}
              onSaving={() => setSaved(new Set([...saved, file.id]))}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** More do not fit into a dialog. */
const mostNamed = 3;

/** The parts of the request that are missing from the case. */
function CaseNotes({ prepared: { samples, unknown, withoutBytes } }: { prepared: PreparedCase }) {
  return (
    <>
      {unknown.count > 0 && (
        <Notice meaning="warn" title={text.notIn(unknown.count, samples + unknown.count)}>
          {text.notInWhich(unknown.hashes.slice(0, mostNamed), unknown.count)}
        </Notice>
      )}
      {withoutBytes > 0 && (
        <Notice meaning="warn" title={text.withoutBytes(withoutBytes)}>
          {text.withoutBytesWhy}
        </Notice>
      )}
    </>
  );
}

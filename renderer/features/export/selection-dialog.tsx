import { type ReactNode, useState } from 'react';
import type { ExportAs, ExportSelection } from '../../../shared/domain/export.ts';
import type { ExportForm } from '../../../shared/domain/job.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import type { AppDialog } from '../../state/app-dialogs.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import typography from '../../styles/typography.module.css';
import { ExportFolder, useZipProtection, ZipProtectionFields } from './export-fields.tsx';
import { type LeftOut, LeftOutNotice, useWithoutBytes } from './left-out.tsx';
import { ExportReadyDialog, useReportedDownload } from './ready-download.tsx';
import { text } from './strings.ts';

interface ExportSelectionDialogProps {
  selection: ExportSelection;
  count: number;
  /** Selected samples that are not among these. */
  without?: Without | undefined;
  onClose(): void;
}

/** What was selected and is not exported: samples by their names, or items of a job by their number. */
export type Without = { of: 'samples'; leftOut: LeftOut } | { of: 'items'; count: number };

const forms: readonly { value: ExportForm; text: ReactNode }[] = [
  { value: 'one-zip', text: text.forms['one-zip'] },
  { value: 'zip-each', text: text.forms['zip-each'] },
  {
    value: 'raw',
    text: (
      <>
        {text.forms.raw} <span className={typography.problem}>{text.rawHint}</span>
      </>
    ),
  },
];

/** Samples leave this computer, so it asks: in which form, and where to. Raw ones ask twice. */
export function ExportSelectionDialog(props: ExportSelectionDialogProps) {
  const { selection, without, onClose } = props;
  const found = useWithoutBytes(selection.kind === 'query' ? selection : null, props.count);
  const of = props.count + selectedBeside(without);
  const count = props.count - (found?.count ?? 0);
  const exporting = useSelectionExport({ selection, count, of, onClose });
  const { form, setForm, protection, setProtection, hasFolder, canBrowse, start, prepare, begin, offer } = exporting;
  const [confirms, setConfirms] = useState(false);
  if (prepare.data?.kind === 'browser')
    return <ExportReadyDialog ready={prepare.data} shownName={prepare.data.fileName} onClose={onClose} />;

  const isPending = start.isPending || prepare.isPending;
  const blocked = isPending || (form !== 'raw' && protection.password === '');
  if (confirms) {
    return (
      <RawConfirmation
        count={count}
        isPending={isPending}
        onConfirm={begin}
        onBack={() => setConfirms(false)}
        onClose={onClose}
      >
        <WhereTo exporting={exporting} />
      </RawConfirmation>
    );
  }
  return (
    <Dialog
      title={text.title(count)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          {canBrowse && (
            <Button look={hasFolder ? 'default' : 'primary'} isDisabled={blocked} onPress={offer}>
              {prepare.isPending ? text.preparing : text.toBrowser}
            </Button>
          )}
          {form === 'raw' && (
            <Button isDisabled={!hasFolder} onPress={() => setConfirms(true)}>
              {text.goOnRaw}
            </Button>
          )}
          {form !== 'raw' && (hasFolder || !canBrowse) && (
            <Button look="primary" isDisabled={blocked || !hasFolder} onPress={begin}>
              {start.isPending ? text.exporting : text.toFolder}
            </Button>
          )}
        </>
      }
    >
      <p className={typography.sentence}>{text.sentence}</p>
      <LeftOutOfExport selection={selection} without={without} found={found} of={of} />
      <RadioChoice label={text.form} value={form} options={forms} onChange={(chosen) => setForm(chosen)} />
      {form !== 'raw' && <ZipProtectionFields value={protection} onChange={setProtection} />}
      <WhereTo exporting={exporting} />
    </Dialog>
  );
}

const selectedBeside = (without: Without | undefined): number =>
  without === undefined ? 0 : without.of === 'items' ? without.count : without.leftOut.count;

interface LeftOutOfExportProps {
  selection: ExportSelection;
  without: Without | undefined;
  /** Of what a query finds; undefined where that is not known. */
  found: LeftOut | undefined;
  of: number;
}

function LeftOutOfExport({ selection, without, found, of }: LeftOutOfExportProps) {
  if (without?.of === 'items')
    return without.count === 0 ? null : (
      <Notice meaning="info" title={text.notDownloaded.title(without.count, of)}>
        {text.notDownloaded.why}
      </Notice>
    );
  if (selection.kind === 'query' && found === undefined)
    return <p className={typography.sentence}>{text.onlyInVault}</p>;
  return <LeftOutNotice leftOut={without?.leftOut ?? found} of={of} words={text.notInVault} />;
}

/** The chosen form, and the two ways out: into the export folder, or to the browser. */
function useSelectionExport({
  selection,
  count,
  of,
  onClose,
}: Pick<ExportSelectionDialogProps, 'selection' | 'count' | 'onClose'> & { of: number }) {
  const { data: host } = useOperation('host.describe', {});
  const toast = useToast();
  const start = useReportedAction('exports.start', {
    report: ({ items }) => toast({ meaning: 'info', text: text.started(items, of) }),
    failureText: (why) => text.notStarted(count, why),
    onClose,
  });
  const prepare = useReportedAction(
    'exports.prepare',
    useReportedDownload({ words: text, failureText: (why) => text.notMade(count, why) }),
  );
  const [form, setForm] = useState<ExportForm>('one-zip');
  const [protection, setProtection] = useZipProtection();
  const as: ExportAs = form === 'raw' ? { form, confirmed: true } : { form, ...protection };
  const toFolder = { selection, as };
  const toBrowser = { selection, ...protection };
  const begin = (): void => {
    prepare.reset();
    start.mutate(toFolder);
  };
  const offer = (): void => {
    start.reset();
    prepare.mutate(toBrowser);
  };
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const canBrowse = form === 'one-zip' && (host?.capabilities.browserDownload ?? false);
  const chosen = { form, setForm, protection, setProtection };
  return { ...chosen, host, hasFolder, canBrowse, start, prepare, toFolder, toBrowser, begin, offer };
}

/** The export folder, and why an export did not start. */
function WhereTo({ exporting }: { exporting: ReturnType<typeof useSelectionExport> }) {
  const { host, hasFolder, canBrowse, start, prepare } = exporting;
  return (
    <>
      {host && <ExportFolder host={host} />}
      {host && !hasFolder && !host.capabilities.chooseFolder && !canBrowse && (
        <p className={typography.sentence}>{text.noFolderHere}</p>
      )}
      {start.error && (
        <FailureNotice
          failure={start.error}
          retry={{ name: 'exports.start', input: exporting.toFolder }}
          onRetry={exporting.begin}
        />
      )}
      {prepare.error && (
        <FailureNotice
          failure={prepare.error}
          retry={{ name: 'exports.prepare', input: exporting.toBrowser }}
          onRetry={exporting.offer}
        />
      )}
    </>
  );
}

interface RawConfirmationProps {
  count: number;
  isPending: boolean;
  onConfirm(): void;
  onBack(): void;
  onClose(): void;
  /** Where they go, and what went wrong. */
  children: ReactNode;
}

/** Live malware leaves only when this was read: the word is typed, and the way back has the focus. */
function RawConfirmation({ count, isPending, onConfirm, onBack, onClose, children }: RawConfirmationProps) {
  const [word, setWord] = useState('');
  return (
    <Dialog
      title={text.rawTitle(count)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onBack} takesFocus>
            {text.back}
          </Button>
          <Button look="danger" isDisabled={isPending || word.trim() !== text.rawWord} onPress={onConfirm}>
            {isPending ? text.exporting : text.exportRaw}
          </Button>
        </>
      }
    >
      <Notice meaning="warn" title={text.rawWhat}>
        {text.rawThen}
      </Notice>
      <TextField label={text.rawType} value={word} onChange={setWord} maxLength={16} autoComplete="off" mono />
      {children}
    </Dialog>
  );
}

/** How samples are to be exported, once it is known which. */
export const exportDialog = (selection: ExportSelection, count: number, without?: Without): AppDialog => ({
  draw: (close) => <ExportSelectionDialog selection={selection} count={count} without={without} onClose={close} />,
  words: text.exportRead(count),
  verb: text.exportNow,
});

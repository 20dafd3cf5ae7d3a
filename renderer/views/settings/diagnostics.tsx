import type { MissingPart } from '../../../shared/domain/diagnostics.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { HostDescription } from '../../../shared/domain/host.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { type DiagnosticsSaving, useDiagnostics } from '../../features/diagnostics/diagnostics.tsx';
import { SaveLink } from '../../features/export/ready-download.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

/**
 * What goes with a bug report: one file of what may be shown to others, and the log as it is. Works also while little
 * else does.
 */
export function Diagnostics({ capabilities }: { capabilities: HostDescription['capabilities'] | undefined }) {
  const saving = useDiagnostics();
  const log = useAction('host.openLog');
  const opensFolders = capabilities?.openFolders === true;
  return (
    <section className={styles.group} aria-labelledby="diagnostics">
      <h3 id="diagnostics" className={styles.groupTitle}>
        {text.diagnostics}
      </h3>
      <p className={styles.sentence}>
        {text.diagnosticsSentence} {text.diagnosticsNever}
      </p>
      <div className={styles.buttons}>
        <Button isPending={saving.isPending} onPress={saving.save}>
          {text.saveDiagnostics}
        </Button>
        {opensFolders && <Button onPress={() => log.mutate({})}>{text.openLog}</Button>}
      </div>
      <div className={styles.outcomes} role="status">
        <Outcome saving={saving} opensFolders={opensFolders} />
      </div>
      {saving.failure && (
        <FailureNotice failure={saving.failure} retry={{ name: 'diagnostics.save', input: {} }} onRetry={saving.save} />
      )}
      {log.error && <FailureNotice failure={log.error} />}
    </section>
  );
}

function Outcome({ saving: { output, forget }, opensFolders }: { saving: DiagnosticsSaving; opensFolders: boolean }) {
  if (output === null || output.saved === null) return null;
  const { saved, missing } = output;
  return (
    <>
      {saved.kind === 'browser' ? (
        <div className={styles.outcome}>
          <SaveLink ready={saved} verb={text.saveZip} onSaving={forget} />
          <span>{text.savedOnce}</span>
        </div>
      ) : (
        <SavedTo saved={saved} opensFolders={opensFolders} />
      )}
      {missing.length > 0 && (
        <Notice meaning="warn" title={text.diagnosticsMissing(missing.length)}>
          {missing.map(missingWords).join('; ')}
        </Notice>
      )}
    </>
  );
}

const missingWords = ({ part, reason }: MissingPart): string => `${text.diagnosticsParts[part]}: ${reason}`;

function SavedTo({ saved, opensFolders }: { saved: Extract<ExportResult, { kind: 'folder' }>; opensFolders: boolean }) {
  const show = useAction('diagnostics.showFolder');
  return (
    <>
      <div className={styles.outcome}>
        <span>
          {text.savedAs} <bdi className={styles.savedPath}>{saved.path}</bdi>
        </span>
        {opensFolders && (
          <Button size="small" onPress={() => show.mutate({})}>
            {text.showInFolder}
          </Button>
        )}
      </div>
      {show.error && <FailureNotice failure={show.error} />}
    </>
  );
}

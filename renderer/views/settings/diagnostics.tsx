import type { ExportResult } from '../../../shared/domain/export.ts';
import type { MissingPart } from '../../../shared/domain/diagnostics.ts';
import type { HostDescription } from '../../../shared/domain/host.ts';
import { type DiagnosticsSaving, useDiagnostics } from '../../app/diagnostics/diagnostics-provider.tsx';
import { SaveLink } from '../../app/export/save-link.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
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
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="diagnostics">
      <h3 id="diagnostics" className={styles.groupTitle}>
        {text.diagnostics}
      </h3>
      <p className={typography.sentence}>
        {text.diagnosticsSentence} {text.diagnosticsNever}
      </p>
      <div className={layout.wrap8}>
        <Button isPending={saving.isPending} onPress={saving.save}>
          {text.saveDiagnostics}
        </Button>
        {opensFolders && <Button onPress={() => log.mutate({})}>{text.openLog}</Button>}
      </div>
      <div className={classNames(layout.stack8, styles.outcomes)} role="status">
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
        <div className={classNames(layout.wrapRow8, typography.sentence)}>
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
      <div className={classNames(layout.wrapRow8, typography.sentence)}>
        <span>
          {text.savedAs} <bdi className={classNames(typography.mono, typography.anywhere)}>{saved.path}</bdi>
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

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LicensedPackage } from 'virtual:licences';
import type { MissingPart } from '../../../shared/domain/diagnostics.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { HostDescription } from '../../../shared/domain/host.ts';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { type DiagnosticsSaving, useDiagnostics } from '../../features/diagnostics/diagnostics.tsx';
import { SaveLink } from '../../features/export/ready-download.tsx';
import { useJournalPlace } from '../../features/journal/journal-place.tsx';
import { useVerifying, VerificationNotice, VerifyButton } from '../../features/journal/verification.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import { text as checkText } from '../../features/journal/strings.ts';
import { text } from './strings.ts';

export function AboutSection() {
  const { data: host } = useOperation('host.describe', {});
  return (
    <>
      {host && (
        <dl className={classNames(layout.stack, typography.body, typography.facts, styles.facts)}>
          <div>
            <dt>{text.version}</dt>
            <dd>
              {host.name} {host.version}
            </dd>
          </div>
          <div>
            <dt>{text.host}</dt>
            <dd>{text.hosts[host.platform]}</dd>
          </div>
          <div>
            <dt>{text.exportFolder}</dt>
            <dd className={styles.path}>
              <bdi>{host.exportFolder ?? text.noExportFolder}</bdi>
            </dd>
          </div>
        </dl>
      )}
      <Setting place="diagnostics">
        <Diagnostics capabilities={host?.capabilities} />
      </Setting>
      <Setting place="journal">
        <JournalCheck />
      </Setting>
      <Setting place="licences">
        <Licences />
      </Setting>
    </>
  );
}

/**
 * What goes with a bug report: one file of what may be shown to others, and the log as it is. Works also while little
 * else does.
 */
function Diagnostics({ capabilities }: { capabilities: HostDescription['capabilities'] | undefined }) {
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
          {missing.map(formatMissing).join('; ')}
        </Notice>
      )}
    </>
  );
}

const formatMissing = ({ part, reason }: MissingPart): string => `${text.diagnosticsParts[part]}: ${reason}`;

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

/** The check of the journal, and the way to it. */
function JournalCheck() {
  const {
    place: { verification },
  } = useJournalPlace();
  const { openView } = useNavigation();
  const verifying = useVerifying();
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="journal">
      <h3 id="journal" className={styles.groupTitle}>
        {text.journal}
      </h3>
      <p className={typography.sentence}>{text.journalSentence}</p>
      <div className={layout.wrap8}>
        <VerifyButton verifying={verifying} words={checkText.verify} />
        <Button onPress={() => openView('journal')}>{checkText.open}</Button>
      </div>
      <div role="status">{verification !== null && <VerificationNotice verification={verification} />}</div>
      {verifying.failure && (
        <FailureNotice
          failure={verifying.failure}
          retry={{ name: 'journal.verify', input: {} }}
          onRetry={verifying.begin}
        />
      )}
    </section>
  );
}

/** The third-party software in the program, and its licences. Loaded when the person opens it. */
function Licences() {
  const [isShown, setShown] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['licences'],
    queryFn: () => import('virtual:licences'),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="licences">
      <h3 id="licences" className={styles.groupTitle}>
        {text.licences}
      </h3>
      <p className={typography.sentence}>{text.licencesSentence}</p>
      <div>
        <Button aria-expanded={isShown} onPress={() => setShown(!isShown)}>
          {isShown ? text.hideLicences : text.showLicences}
        </Button>
      </div>
      {isShown && data && (
        <ul className={styles.licences} aria-label={text.licences}>
          {data.licences.packages.map((each) => (
            <li key={each.name}>
              <Licence of={each} texts={data.licences.texts} />
            </li>
          ))}
        </ul>
      )}
      {isShown && error && (
        <FailureNotice
          failure={{ kind: 'host-gone' }}
          retry={{ name: 'host.describe', input: {} }}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  );
}

function Licence({
  of: { name, version, licence, text: at },
  texts,
}: {
  of: LicensedPackage;
  texts: readonly string[];
}) {
  return (
    <details className={styles.licence}>
      <summary>
        <span className={styles.licenceName}>{name}</span>{' '}
        <span className={classNames(typography.hint, styles.aside)}>{version}</span>{' '}
        <span className={classNames(typography.hint, styles.aside)}>{licence}</span>
      </summary>
      {/* A long text is scrolled by the keyboard, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.licenceText} tabIndex={0} aria-label={text.licenceOf(name)}>
        {at === null ? text.noLicenceText : texts[at]}
      </pre>
    </details>
  );
}

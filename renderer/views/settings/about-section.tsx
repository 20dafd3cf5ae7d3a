import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { JournalCheck } from './journal-check.tsx';
import { Licences } from './licences.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function AboutSection() {
  const { data: host } = useOperation('host.describe', {});
  if (!host) return null;
  return (
    <>
      <dl className={styles.facts}>
        <div><dt>{text.version}</dt><dd>{host.name} {host.version}</dd></div>
        <div><dt>{text.host}</dt><dd>{text.hosts[host.platform]}</dd></div>
        <div><dt>{text.exportFolder}</dt><dd className={styles.path}><bdi>{host.exportFolder ?? text.noExportFolder}</bdi></dd></div>
      </dl>
      {host.capabilities.openFolders && <OpenLog />}
      <JournalCheck />
      <Licences />
    </>
  );
}

function OpenLog() {
  const { mutate, error } = useAction('host.openLog');
  return (
    <>
      <div><Button onPress={() => mutate({})}>{text.openLog}</Button></div>
      {error && <FailureNotice failure={error} />}
    </>
  );
}

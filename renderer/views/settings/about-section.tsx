import { useOperation } from '../../bridge/use-operation.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Diagnostics } from './diagnostics.tsx';
import { JournalCheck } from './journal-check.tsx';
import { Licences } from './licences.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function AboutSection() {
  const { data: host } = useOperation('host.describe', {});
  return (
    <>
      {host && (
        <dl className={classNames(layout.stack, typography.body, styles.facts)}>
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
      <Diagnostics capabilities={host?.capabilities} />
      <JournalCheck />
      <Licences />
    </>
  );
}

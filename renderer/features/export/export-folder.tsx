import { useQueryClient } from '@tanstack/react-query';
import type { HostDescription } from '../../../shared/domain/host.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import styles from './export.module.css';
import { text } from './text.ts';

/** Which folder: always the host's choice of one, never a path from the page. */
export function ExportFolder({ host }: { host: HostDescription }) {
  const client = useQueryClient();
  const { mutate, error } = useAction('host.chooseExportFolder');
  const { chooseFolder } = host.capabilities;
  if (!chooseFolder && host.exportFolder === null) return null;
  const choose = (): void =>
    mutate({}, { onSuccess: () => void client.invalidateQueries({ queryKey: ['host.describe'] }) });
  return (
    <div>
      <p className={styles.folder}>
        <span className={styles.path}>
          <bdi>{host.exportFolder === null ? text.noFolder : text.exportFolder(host.exportFolder)}</bdi>
        </span>
        {chooseFolder && (
          <Button size="small" onPress={choose}>
            {host.exportFolder === null ? text.chooseFolder : text.changeFolder}
          </Button>
        )}
      </p>
      {error && <FailureNotice failure={error} />}
    </div>
  );
}

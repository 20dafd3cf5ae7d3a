import { FileUp, Package, RefreshCw } from 'lucide-react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import layout from '../../../styles/layout.module.css';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** Nothing is here yet: the ways to a first package. */
export function NoPackage({ state: { hasRuleEditor, check } }: { state: PublicationsState }) {
  const desk = useUpdatesDesk();
  const { openSettings } = useNavigation();
  return (
    <div className={styles.empty} data-pane>
      <EmptyState
        icon={<Package size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={hasRuleEditor ? text.emptySentence : text.emptyWithout}
        action={
          <div className={layout.centred8}>
            {hasRuleEditor ? (
              <Button look="primary" isPending={check !== null} onPress={desk.check}>
                <RefreshCw {...icon} />
                {text.checkNow}
              </Button>
            ) : (
              <Button onPress={() => openSettings('workspaces')}>{text.openWorkspaces}</Button>
            )}
            <Button look={hasRuleEditor ? 'default' : 'primary'} onPress={() => desk.pick('files', null)}>
              <FileUp {...icon} />
              {text.openFile}
            </Button>
          </div>
        }
      />
    </div>
  );
}

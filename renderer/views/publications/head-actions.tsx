import { Ellipsis, FileUp, FolderUp, RefreshCw, Settings2, Tag } from 'lucide-react';
import { useSavedOptions } from '../../app/publications/options/use-saved-options.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { classNames } from '../../styles/class-names.ts';
import surface from '../../styles/surface.module.css';
import styles from './publications.module.css';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates/updates-desk.tsx';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

const choices: readonly MenuChoice[] = [
  { id: 'files', text: text.installFiles, icon: <FileUp {...icon} /> },
  { id: 'folder', text: text.installFolder, icon: <FolderUp {...icon} /> },
  { id: 'file-as', text: text.openFileAs, icon: <Tag {...icon} /> },
  { id: 'settings', text: text.updateSettings, icon: <Settings2 {...icon} /> },
];

/** Which publications count, the check, and what is needed less often. */
export function HeadActions() {
  const { state, check, pick, show } = useUpdatesDesk();
  if (state === null) return null;
  const act = (id: string): void => {
    if (id === 'files' || id === 'folder') pick(id, null);
    else show(id === 'settings' ? 'settings' : 'open-as');
  };
  // Without a package, the check has its place in the middle of the view.
  const hasCheck = state.hasRuleEditor && state.packages.length > 0;
  return (
    <>
      {state.hasRuleEditor && <GroupChoice />}
      {/* Pending and not disabled: who pressed it keeps the focus. */}
      {hasCheck && (
        <Button isPending={state.check !== null} onPress={check}>
          <RefreshCw {...icon} />
          {text.checkNow}
        </Button>
      )}
      <Menu
        label={text.more}
        choices={choices}
        onChoose={act}
        trigger={
          <IconButton label={text.more}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      />
    </>
  );
}

function GroupChoice() {
  const { workspaceId, state, tell } = useUpdatesDesk();
  const { options, change } = useSavedOptions(workspaceId, state);
  if (options === null) return null;
  return (
    <select
      className={classNames(surface.control, styles.group)}
      aria-label={text.groups}
      value={options.includeTest ? 'test' : 'release'}
      onChange={({ target }) => change({ includeTest: target.value === 'test' }, { onFailed: tell })}
    >
      <option value="release">{text.releaseOnly}</option>
      <option value="test">{text.includeTest}</option>
    </select>
  );
}

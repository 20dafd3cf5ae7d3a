import { FileUp, FolderUp, Plus } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { text } from './text.ts';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** A browser picks files or a folder, never both at once. */
export function AddFiles({ isPrimary = false }: { isPrimary?: boolean }) {
  const { pickFiles, pickFolder } = useUploadStore();
  return (
    <Menu
      label={text.addMenu}
      choices={[
        { id: 'files', text: text.pickFiles, icon: <FileUp {...icon} /> },
        { id: 'folder', text: text.pickFolder, icon: <FolderUp {...icon} /> },
      ]}
      onChoose={(id) => (id === 'folder' ? pickFolder() : pickFiles())}
      trigger={
        <Button look={isPrimary ? 'primary' : 'default'} data-landing>
          <Plus {...icon} />
          {text.addFiles}
        </Button>
      }
    />
  );
}

import { Download, Ellipsis, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { IconButton } from '../../../components/button.tsx';
import { Menu, type MenuChoice } from '../../../components/menu.tsx';
import { ExportPackage } from './export-package.tsx';
import { RemovePackage } from './remove-package.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** What is done with a package now and then. */
export function PackageMenu({
  state,
  shown,
  isTabStop,
}: {
  state: PublicationsState;
  shown: PackageView;
  isTabStop: boolean;
}) {
  const { pin } = useUpdatesDesk();
  const [dialog, setDialog] = useState<'export' | 'remove' | null>(null);
  const isPinned = shown.sha256 === state.pinned;
  const isInUse = shown.sha256 === state.active || isPinned;
  const choices: readonly MenuChoice[] = [
    isPinned
      ? { id: 'unpin', text: text.unpin, icon: <PinOff {...icon} /> }
      : { id: 'pin', text: text.pin, icon: <Pin {...icon} /> },
    { id: 'export', text: text.export, icon: <Download {...icon} /> },
    {
      id: 'remove',
      text: text.remove,
      icon: <Trash2 {...icon} />,
      isDisabled: isInUse,
      ...(isInUse ? { aside: isPinned ? text.pinned : text.removeActive } : {}),
    },
  ];
  const act = (id: string): void => {
    if (id === 'export' || id === 'remove') setDialog(id);
    else pin(id === 'pin' ? shown.sha256 : null);
  };
  const label = text.packageMenu(shortVersion(shown.version));
  const close = (): void => setDialog(null);
  return (
    <>
      <Menu
        label={label}
        choices={choices}
        onChoose={act}
        trigger={
          <IconButton label={label} excludeFromTabOrder={!isTabStop}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      />
      {dialog === 'export' && <ExportPackage shown={shown} workspaceId={state.workspaceId} onClose={close} />}
      {dialog === 'remove' && <RemovePackage shown={shown} onClose={close} />}
    </>
  );
}

import { useMemo } from 'react';
import { laterDialog } from '../later-dialog.tsx';
import { useCommands } from '../palette/palette-provider.tsx';
import { useBundleDesk } from './bundle-desk.tsx';
import { text } from './text.ts';

const OpenBundleDialog = laterDialog(() =>
  import('./open-bundle-dialog.tsx').then((module) => module.OpenBundleDialog),
);

/** The way into a bundle from everywhere. */
export function BundleDialogs() {
  const { isShown, show, hide } = useBundleDesk();
  useCommands(
    useMemo(
      () => ({ more: [{ id: 'bundle:open', title: text.openCommand, keywords: text.openWords, run: show }] }),
      [show],
    ),
  );
  return isShown && <OpenBundleDialog onClose={hide} />;
}

import { useMemo } from 'react';
import { useBundleDesk } from '../features/bundle/bundle-store.tsx';
import { text } from '../features/bundle/strings.ts';
import { useCommands } from '../state/commands.tsx';
import { laterDialog } from '../state/lazy-dialog.tsx';

const OpenBundleDialog = laterDialog(() =>
  import('../features/bundle/open-bundle-dialog.tsx').then((module) => module.OpenBundleDialog),
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

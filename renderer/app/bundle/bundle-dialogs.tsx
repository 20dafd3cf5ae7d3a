import { useMemo } from 'react';
import { useCommands } from '../palette/palette-provider.tsx';
import { useBundleDesk } from './bundle-desk.tsx';
import { OpenBundleDialog } from './open-bundle-dialog.tsx';
import { text } from './text.ts';

/** The way into a bundle from everywhere. */
export function BundleDialogs() {
  const { isShown, show } = useBundleDesk();
  useCommands(useMemo(() => ({ more: [{ id: 'bundle:open', title: text.openCommand, keywords: text.openWords, run: show }] }), [show]));
  return isShown && <OpenBundleDialog />;
}

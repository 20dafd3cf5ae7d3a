import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import type { Removal } from './use-package-acts.ts';

/** Rules that go find nothing any more: where many would, the numbers are said before. */
export function RemovesMany({ removal: { failure, confirm, cancel } }: { removal: Removal }) {
  return (
    <Dialog
      title={text.removalTitle(shortVersion(failure.version), failure.removed, failure.rules)}
      isOpen
      onClose={cancel}
      actions={
        <>
          <Button onPress={cancel} takesFocus>
            {text.cancel}
          </Button>
          <Button look="danger" onPress={confirm}>
            {text.installAll}
          </Button>
        </>
      }
    >
      <p>{text.removalThen}</p>
    </Dialog>
  );
}

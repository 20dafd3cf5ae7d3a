import type { PackageView } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';

/** A package that is gone cannot be rolled back to, so it asks. */
export function RemovePackage({ shown, onClose }: { shown: PackageView; onClose(): void }) {
  const { remove } = useUpdatesDesk();
  const act = (): void => {
    onClose();
    remove(shown);
  };
  return (
    <Dialog
      title={text.removeTitle(shortVersion(shown.version))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          <Button look="danger" onPress={act}>
            {text.removePackage}
          </Button>
        </>
      }
    >
      <p>{text.removeThen}</p>
    </Dialog>
  );
}

import { useId } from 'react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { OptionsForm, useOptionsForm } from '../../../features/publications/options-form.tsx';
import { text as options } from '../../../features/publications/strings.ts';
import { text } from './text.ts';

/** What the workspace does about packages. */
export function UpdateSettings({ state, onClose }: { state: PublicationsState; onClose(): void }) {
  const form = useOptionsForm(state, onClose);
  const id = useId();
  return (
    <Dialog
      title={text.settingsTitle}
      isOpen
      onClose={onClose}
      wide
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={id} isDisabled={!form.canBeSaved}>
            {options.save}
          </Button>
        </>
      }
    >
      <OptionsForm id={id} form={form} />
    </Dialog>
  );
}

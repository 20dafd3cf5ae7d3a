import { type SubmitEvent, useId, useState } from 'react';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { OptionsForm, useOptionsForm } from '../../../features/publications/options-form.tsx';
import typography from '../../../styles/typography.module.css';
import { ReplyMapping } from './reply-mapping.tsx';
import { text as options } from '../../../features/publications/strings.ts';
import { text } from './strings.ts';
import { shortVersion } from './update-step.ts';
import { type Removal, useUpdates } from './updates-context.tsx';

/** Dialogs requested in the head or in a notice, shown above both. */
export function UpdatesDialogs() {
  const { state, dialog, show, removal } = useUpdates();
  if (state === null) return null;
  if (removal !== null) return <RemovesMany removal={removal} />;
  const close = (): void => show(null);
  switch (dialog) {
    case 'settings':
      return <UpdateSettings state={state} onClose={close} />;
    case 'open-as':
      return <OpenFileAs onClose={close} />;
    case 'reply':
      return state.lastCheck?.reply ? (
        <ReplyMapping
          reply={state.lastCheck.reply}
          mapping={state.options.mapping}
          missing={state.lastCheck.missing}
          onClose={close}
        />
      ) : null;
    case null:
      return null;
    default:
      return assertNever(dialog);
  }
}

const longestVersion = 200;

/** For a file that does not say which version it is. */
function OpenFileAs({ onClose }: { onClose(): void }) {
  const { pick } = useUpdates();
  const [version, setVersion] = useState('');
  const form = useId();
  const choose = (event: SubmitEvent): void => {
    event.preventDefault();
    onClose();
    pick('files', version.trim() === '' ? null : version.trim());
  };
  return (
    <Dialog
      title={text.openAsTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form}>
            {text.chooseFile}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.openAsSentence}</p>
      <form id={form} onSubmit={choose}>
        <TextField
          label={text.version}
          value={version}
          onChange={setVersion}
          hint={text.versionHint}
          maxLength={longestVersion}
          autoComplete="off"
          takesFocus
          mono
        />
      </form>
    </Dialog>
  );
}

/** Rules that go find nothing any more: where many would, the numbers are said before. */
function RemovesMany({ removal: { failure, confirm, cancel } }: { removal: Removal }) {
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

/** What the workspace does about packages. */
function UpdateSettings({ state, onClose }: { state: PublicationsState; onClose(): void }) {
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

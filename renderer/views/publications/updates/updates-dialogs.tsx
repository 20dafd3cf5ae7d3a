import { assertNever } from '../../../../shared/assert-never.ts';
import { OpenFileAs } from './open-file-as.tsx';
import { RemovesMany } from './removes-many.tsx';
import { ReplyMapping } from './reply-mapping.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { useUpdatesDesk } from './updates-desk.tsx';

/** What is asked for in the head or in a notice, and stands above both. */
export function UpdatesDialogs() {
  const { state, dialog, show, removal } = useUpdatesDesk();
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

import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { isFinalJob, type ItemSort } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { isTicked } from '../../components/data-grid/row-selection.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { copyText } from '../../components/use-copy.ts';
import { type CopiedForm, copiedForms, copiedItems } from './copied-items.ts';
import type { MeantItems } from './items-footer.tsx';
import { readItems } from './read-items.ts';
import { text } from './text.ts';

const asGiven: ItemSort = { column: 'position', descending: false };

/** Copies the ticked items, or all that are shown, loaded or not. */
export function CopyItems({ meant: { job, question, selection, ticked, total } }: { meant: MeantItems }) {
  const bridge = useBridge();
  const toast = useToast();
  const [failure, setFailure] = useState<Failure | null>(null);
  const isReading = useRef(false);
  const copy = async (form: CopiedForm): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    // While a job runs its items change places in every other order, and some would be met twice.
    const sort = isFinalJob(job) ? question.sort : asGiven;
    const isMeant = ticked === 0 ? () => true : ({ position }: { position: number }) => isTicked(selection, position);
    const read = await readItems(bridge, { ...question, sort }, isMeant, ticked === 0 ? Infinity : ticked);
    isReading.current = false;
    if (!read.ok) return setFailure(read.failure);
    const { count, words } = copiedItems(form, read.value);
    if (count === 0) return toast({ meaning: 'info', text: text.nothingToCopy });
    const copied = await copyText(words);
    toast(copied ? { meaning: 'ok', text: text.copiedNews(text.copied[form](count)) } : { meaning: 'bad', text: text.notCopied });
  };
  const close = (): void => setFailure(null);
  return (
    <>
      <Menu
        label={text.copyMenu}
        choices={copiedForms.map((form, at) => ({ id: form, text: text.copyWhat[form], ...(at === 0 ? { aside: text.copyScope(ticked === 0 ? total : ticked, ticked > 0) } : {}) }))}
        onChoose={(id) => {
          const form = copiedForms.find((each) => each === id);
          if (form) void copy(form);
        }}
        trigger={<Button letter="C" isDisabled={total === 0}><Copy size={14} strokeWidth={1.6} aria-hidden="true" />{text.copy}</Button>}
      />
      {failure && (
        <Dialog title={text.copyMenu} isOpen onClose={close} actions={<Button onPress={close} takesFocus>{text.close}</Button>}>
          <FailureNotice failure={failure} />
        </Dialog>
      )}
    </>
  );
}

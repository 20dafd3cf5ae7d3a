import { isFinalJob, type ItemSort, type JobItem } from '../../../shared/domain/job.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { isTicked } from '../../components/data-grid/row-selection.ts';
import { mostTableRows } from '../copy-samples/copied-samples.ts';
import { joinedInStints } from '../copy-samples/copied-text.ts';
import { CopySamplesMenu, type OwnCopy } from '../copy-samples/copy-samples-menu.tsx';
import { itemForms, itemPieces, toldItem } from './copied-items.ts';
import type { MeantItems } from './items-footer.tsx';
import { readItems } from './read-items.ts';
import { text } from './text.ts';

const asGiven: ItemSort = { column: 'position', descending: false };
/** An item tells no more of its sample than hashes, a name and a size. */
const formats = ['sha256', 'sha1', 'md5', 'hashes', 'markdown', 'defanged', 'yara'] as const;

/** Copies the ticked items, or all that are shown, loaded or not. */
export function CopyItems({ meant }: { meant: MeantItems }) {
  const bridge = useBridge();
  const { ticked, total } = meant;
  const count = ticked === 0 ? total : ticked;
  const read = (): Promise<Result<JobItem[]>> => readMeant(bridge, meant);
  const own = itemForms.map((form): OwnCopy => ({
    id: form,
    text: text.copyWhat[form],
    most: form === 'asked' ? Infinity : mostTableRows,
    copied: async () => {
      const items = await read();
      return items.ok
        ? success({
            words: await joinedInStints(itemPieces(form, items.value)),
            news: text.copiedNews(text.copied[form](items.value.length)),
          })
        : items;
    },
  }));
  const samples = {
    count,
    read: async () => {
      const items = await read();
      return items.ok ? success(items.value.map(toldItem)) : items;
    },
  };
  return (
    <CopySamplesMenu
      samples={samples}
      formats={formats}
      last={count === 0 ? [] : own}
      scope={text.copyScope(count, ticked > 0)}
      triggerLetter="C"
    />
  );
}

function readMeant(bridge: Bridge<File>, { job, question, selection, ticked }: MeantItems): Promise<Result<JobItem[]>> {
  // While a job runs its items change places in every other order, and some would be met twice.
  const sort = isFinalJob(job) ? question.sort : asGiven;
  const isMeant = ticked === 0 ? () => true : ({ position }: { position: number }) => isTicked(selection, position);
  return readItems(bridge, { ...question, sort }, isMeant, ticked === 0 ? Infinity : ticked);
}

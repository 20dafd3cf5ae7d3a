import { useBridge } from '../../bridge/bridge-context.tsx';
import { SaveListMenu } from '../export/save-list-menu.tsx';
import { useCaseOfItems } from './case-items.tsx';
import { useZipOfItems } from './export-items.tsx';
import type { MeantItems } from './items-footer.tsx';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;

/** Exports items: all that are shown as a list, and the samples of those that are meant in other forms. */
export function SaveList({ meant }: { meant: MeantItems }) {
  const bridge = useBridge();
  const more = [useZipOfItems(meant), useCaseOfItems(meant)].filter((choice) => choice !== null);
  const {
    job: { id },
    question: { filter },
    ticked,
  } = meant;
  if (ticked > 0 && more.length === 0) return null;
  return (
    <SaveListMenu
      words={text.saveList}
      letter="E"
      formats={ticked === 0 ? formats : []}
      save={(how) => bridge.call('jobs.exportItems', { id, filter, ...how })}
      more={more}
    />
  );
}

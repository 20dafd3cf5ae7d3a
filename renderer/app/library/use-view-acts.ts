import type { OperationInput } from '../../../shared/contract.ts';
import type { SavedView } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Result } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useLibraryPlaces } from './library-place.tsx';
import { text } from './text.ts';
import { viewPlacesOf } from './view-places.ts';

export interface ViewActs {
  /** By one place; at an end nothing happens. */
  move(view: SavedView, step: 1 | -1): void;
  /** With a way back to the same place. */
  remove(view: SavedView): void;
}

/**
 * What is done with saved views, in their order. What fails is said; `onMoved` gets the place a view has now, from 1.
 */
export function useViewActs(views: readonly SavedView[], onMoved?: (view: SavedView, place: number) => void): ViewActs {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  const toast = useToast();
  const told = <T>(reply: Result<T>, say: (why: string) => string = text.failed, undo?: () => void): T | null => {
    if (reply.ok) return reply.value;
    toast({
      meaning: 'bad',
      text: say(failureWords(reply.failure).what),
      failure: reply.failure,
      ...(undo === undefined ? {} : { undo }),
    });
    return null;
  };
  const follower = (view: SavedView): number | null => views[views.indexOf(view) + 1]?.id ?? null;
  const bringBack = async (view: SavedView): Promise<void> => {
    const name = visibleText(view.name);
    const saved = told(await bridge.call('views.save', asNew(view)), text.notBack(name), () => void bringBack(view));
    if (saved === null) return;
    const list = told(await bridge.call('views.list', {}), text.backAtEnd(name));
    const before = viewPlacesOf(bridge).follower(view.id, saved.id, list?.views.map(({ id }) => id) ?? []);
    if (before !== undefined) told(await bridge.call('views.move', { id: saved.id, before }), text.backAtEnd(name));
  };
  const remove = async (view: SavedView): Promise<void> => {
    viewPlacesOf(bridge).removed(
      view.id,
      views.map(({ id }) => id),
    );
    if (told(await bridge.call('views.remove', { id: view.id })) === null) return;
    if (places.snapshot().viewId === view.id) places.note({ viewId: null });
    toast({ meaning: 'ok', text: text.removed(visibleText(view.name)), undo: () => void bringBack(view) });
  };
  const move = async (view: SavedView, step: 1 | -1): Promise<void> => {
    const at = views.indexOf(view);
    const other = views[at + step];
    if (other === undefined) return;
    const reply = await bridge.call('views.move', { id: view.id, before: step < 0 ? other.id : follower(other) });
    if (told(reply) !== null) onMoved?.(view, at + step + 1);
  };
  return {
    move: (view, step) => void move(view, step),
    remove: (view) => void remove(view),
  };
}

const asNew = (view: SavedView): OperationInput<'views.save'> => ({ ...view, id: null });

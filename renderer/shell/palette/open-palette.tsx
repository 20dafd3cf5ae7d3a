import { memo, type Ref, useImperativeHandle, useLayoutEffect } from 'react';
import type { Command } from '../../state/command.ts';
import { PaletteList } from './palette-list.tsx';
import { type ChosenCommand, type PaletteChoices, type TypedText, usePaletteChoices } from './use-palette.ts';

/** What the field tells of the list below it. */
export interface Offer {
  active: number | null;
  /** How much there is to choose from. */
  count: number;
}

export interface OpenPaletteProps extends TypedText {
  /** The choices as they are drawn, for the keys of the field. */
  ref: Ref<PaletteChoices>;
  id: string;
  chosen: ChosenCommand | null;
  onChosen(chosen: ChosenCommand): void;
  /** null: the list is gone. */
  onOffer(offer: Offer | null): void;
  onChoose(command: Command): void;
}

/**
 * The list of the palette, drawn only while it is open: what it offers is asked for and put together from nearly
 * everything.
 */
function Palette({ ref, id, typed, rested, chosen, onChosen, onOffer, onChoose }: OpenPaletteProps) {
  const choices = usePaletteChoices({ typed, rested }, chosen, onChosen);
  useImperativeHandle(ref, () => choices);
  const {
    active,
    commands: { length: count },
  } = choices;
  useLayoutEffect(() => {
    onOffer({ active, count });
    return () => onOffer(null);
  }, [active, count, onOffer]);
  return <PaletteList id={id} choices={choices} onChoose={onChoose} />;
}

export const OpenPalette = memo(Palette);

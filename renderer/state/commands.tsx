import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { RecentCommands } from '../memory/recent-commands.ts';
import { type AddedCommands, PaletteDesk } from './palette-desk.ts';
import { buttonsOf, shownView } from './view-buttons.ts';

interface Palette {
  desk: PaletteDesk;
  recent: RecentCommands;
}

const PaletteContext = createContext<Palette | null>(null);

export function PaletteProvider({ children }: { children: ReactNode }) {
  const [palette] = useState((): Palette => ({
    desk: new PaletteDesk(() => buttonsOf(shownView())),
    recent: new RecentCommands(),
  }));
  useEffect(() => void palette.recent.load(), [palette]);
  return <PaletteContext value={palette}>{children}</PaletteContext>;
}

export function usePaletteContext(): Palette {
  const palette = useContext(PaletteContext);
  if (palette === null) throw new TypeError('the palette outside of PaletteProvider');
  return palette;
}

/** Puts what has no button into the palette, while the component is shown; the same object from drawing to drawing. */
export function useCommands(commands: AddedCommands): void {
  const { desk } = usePaletteContext();
  useEffect(() => desk.add(commands), [desk, commands]);
}

import { SquareDot } from 'lucide-react';
import { type TlpLevel, tlpLevels } from '../../../../shared/domain/tlp.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { TlpColour } from '../../../components/tlp-select.tsx';
import { text } from '../text.ts';
import { setTlp } from './change-samples.ts';
import type { MeantSamples } from './meant-samples.ts';
import { useChangeNews } from './use-changing.ts';

const none = 'none';
const choices = [{ id: none, text: text.noTlp }, ...tlpLevels.map((level) => ({ id: level, text: level.toUpperCase(), icon: <TlpColour level={level} /> }))];

/** This desk's own TLP: what others say stays said, and the strictest holds. */
export function TlpAction({ meant }: { meant: MeantSamples }) {
  const bridge = useBridge();
  const tell = useChangeNews();
  const set = async (level: TlpLevel | null): Promise<void> => {
    const done = (count: number): string => (level === null ? text.tlpTaken(count) : text.tlpSet(level.toUpperCase(), count));
    tell(await setTlp(bridge, meant, level), { done, nothing: text.tlpSame, noUndo: text.noUndo });
  };
  return (
    <Menu
      label={text.tlpMenu}
      choices={choices}
      onChoose={(id) => void set(tlpLevels.find((level) => level === id) ?? null)}
      trigger={<Button letter="L" isDisabled={meant.count === 0}><SquareDot size={14} strokeWidth={1.6} aria-hidden="true" />{text.tlp}</Button>}
    />
  );
}

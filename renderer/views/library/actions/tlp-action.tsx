import type { TlpLevel } from '../../../../shared/domain/tag.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { TlpMenu } from '../../../components/tlp-menu.tsx';
import { text } from '../text.ts';
import { setTlp } from './change-samples.ts';
import type { MeantSamples } from './meant-samples.ts';
import { useChangeNews } from './use-changing.ts';

/** This desk's own TLP: what others say stays said, and the strictest holds. */
export function TlpAction({ meant }: { meant: MeantSamples }) {
  const bridge = useBridge();
  const tell = useChangeNews();
  const set = async (level: TlpLevel | null): Promise<void> => {
    const done = (count: number): string =>
      level === null ? text.tlpTaken(count) : text.tlpSet(level.toUpperCase(), count);
    tell(await setTlp(bridge, meant, level), { done, nothing: text.tlpSame, noUndo: text.noUndo });
  };
  return (
    <TlpMenu
      label={text.tlpMenu}
      text={text.tlp}
      none={text.noTlp}
      isDisabled={meant.count === 0}
      onChoose={(level) => void set(level)}
    />
  );
}

import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useSettings } from '../../app/use-settings.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import typography from '../../styles/typography.module.css';
import { NumberSetting } from './number-setting.tsx';
import { text } from './text.ts';

const engines = [
  { value: 'auto', text: text.scanEngines.auto },
  { value: 'native', text: text.scanEngines.native },
  { value: 'wasm', text: text.scanEngines.wasm },
] as const;

export function ScansSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={typography.sentence}>{text.scansSentence}</p>
      <RadioChoice
        label={text.scanEngine}
        value={values.scanEngine}
        options={engines}
        onChange={(scanEngine) => change({ scanEngine })}
      />
      {/* Asked again for another choice. */}
      <EngineNow key={values.scanEngine} />
      <NumberSetting
        name="scanSeconds"
        label={text.scanSeconds}
        hint={text.scanSecondsHint}
        stored={values.scanSeconds}
        onSave={(scanSeconds) => change({ scanSeconds })}
      />
      <NumberSetting
        name="scanMebibytes"
        label={text.scanMebibytes}
        hint={text.scanMebibytesHint}
        stored={values.scanMebibytes}
        onSave={(scanMebibytes) => change({ scanMebibytes })}
      />
      <NumberSetting
        name="scanMemoryMebibytes"
        label={text.scanMemory}
        hint={text.scanMemoryHint}
        stored={values.scanMemoryMebibytes}
        onSave={(scanMemoryMebibytes) => change({ scanMemoryMebibytes })}
      />
    </>
  );
}

/** What the choice comes to on this machine. */
function EngineNow() {
  const { current } = useWorkspaces();
  const { data } = useOperation('scans.plan', { workspaceId: current?.id ?? '' }, { enabled: current !== null });
  if (data === undefined) return null;
  const { engine, nativeFailure } = data.local;
  return (
    <p className={typography.sentence} role="status">
      {text.scanEngineNow[engine]}
      {nativeFailure !== null && (
        <>
          {' '}
          <bdi>{visibleText(text.nativeFailure(nativeFailure))}</bdi>
        </>
      )}
    </p>
  );
}

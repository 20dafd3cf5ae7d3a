import { useState } from 'react';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { settingSchemas } from '../../../shared/domain/settings.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { formatNumber, formatSize } from '../../components/format.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { useChangedValue } from './general-sections.tsx';
import { Advanced, Setting } from './setting.tsx';
import styles from './settings.module.css';
import { text } from './strings.ts';

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
      <Setting place="scanEngine">
        <RadioChoice
          label={text.scanEngine}
          value={values.scanEngine}
          options={engines}
          onChange={(scanEngine) => change({ scanEngine })}
        />
        {/* Read again for another choice. */}
        <EngineNow key={values.scanEngine} />
      </Setting>
      <NumberSetting
        name="scanSeconds"
        label={text.scanSeconds}
        hint={text.scanSecondsHint}
        stored={values.scanSeconds}
        onSave={(scanSeconds) => change({ scanSeconds })}
      />
      <Advanced places={['scanMebibytes', 'scanMemory']} summary={text.advancedOf.scans}>
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
      </Advanced>
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

export function DownloadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={typography.sentence}>{text.downloadsSentence}</p>
      <NumberSetting
        name="bulkConnections"
        label={text.connections}
        hint={text.connectionsHint}
        stored={values.bulkConnections}
        onSave={(bulkConnections) => change({ bulkConnections })}
      />
      <Advanced places={['urlBytes']} summary={text.advancedOf.downloads}>
        <NumberSetting
          name="bulkUrlBytes"
          label={text.urlBytes}
          hint={text.urlBytesHint}
          stored={values.bulkUrlBytes}
          onSave={(bulkUrlBytes) => change({ bulkUrlBytes })}
        />
      </Advanced>
    </>
  );
}

export function UploadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={typography.sentence}>{text.uploadsSentence}</p>
      <NumberSetting
        name="uploadFiles"
        label={text.uploadFiles}
        hint={text.uploadFilesHint}
        stored={values.uploadFiles}
        onSave={(uploadFiles) => change({ uploadFiles })}
      />
      <Advanced places={['uploadMebibytes', 'archiveLimits']} summary={text.advancedOf.uploads}>
        <NumberSetting
          name="uploadMebibytes"
          label={text.uploadMebibytes}
          hint={text.uploadMebibytesHint}
          stored={values.uploadMebibytes}
          onSave={(uploadMebibytes) => change({ uploadMebibytes })}
        />
        <Setting place="archiveLimits">
          <ArchiveLimits />
        </Setting>
      </Advanced>
    </>
  );
}

/** They keep a hostile archive from filling the disk, and cannot be set. */
function ArchiveLimits() {
  const { members, memberBytes, totalBytes, expansion } = archiveLimits;
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="archive-limits">
      <h3 id="archive-limits" className={styles.groupTitle}>
        {text.archiveLimits}
      </h3>
      <p className={typography.sentence}>{text.archiveLimitsSentence}</p>
      <dl className={classNames(layout.stack, typography.body, typography.facts, styles.facts)}>
        <div>
          <dt>{text.archiveMembers}</dt>
          <dd>{formatNumber(members)}</dd>
        </div>
        <div>
          <dt>{text.archiveMemberSize}</dt>
          <dd>{formatSize(memberBytes)}</dd>
        </div>
        <div>
          <dt>{text.archiveTotalSize}</dt>
          <dd>{formatSize(totalBytes)}</dd>
        </div>
        <div>
          <dt>{text.archiveExpansion}</dt>
          <dd>{text.timesItsSize(expansion)}</dd>
        </div>
      </dl>
    </section>
  );
}

const places = {
  bulkUrlBytes: 'urlBytes',
  bulkConnections: 'connections',
  uploadFiles: 'uploadFiles',
  uploadMebibytes: 'uploadMebibytes',
  scanSeconds: 'scanSeconds',
  scanMebibytes: 'scanMebibytes',
  scanMemoryMebibytes: 'scanMemory',
} as const;

interface NumberSettingProps {
  name: keyof typeof places;
  label: string;
  hint: string;
  stored: number;
  onSave(value: number): void;
}

/** Saved when the field is left, as long as it is a number the setting takes. */
function NumberSetting({ name, label, hint, stored, onSave }: NumberSettingProps) {
  const schema = settingSchemas[name];
  const [typed, setTyped] = useState(String(stored));
  const saveChanged = useChangedValue(stored, onSave);
  const read = schema.safeParse(/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null);
  const save = (): void => {
    if (read.success) saveChanged(read.data);
  };
  return (
    <Setting place={places[name]}>
      <div className={styles.number}>
        <TextField
          label={label}
          value={typed}
          onChange={setTyped}
          onBlur={save}
          onEnter={save}
          hint={hint}
          problem={read.success ? null : text.wholeNumber(schema.minValue ?? 0, schema.maxValue ?? 0)}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </Setting>
  );
}

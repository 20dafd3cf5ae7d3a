import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { HostDescription } from '../../../shared/domain/host.ts';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { text } from './strings.ts';

export interface ZipProtection {
  encryption: ZipEncryption;
  password: string;
}

const encryptions: readonly { value: ZipEncryption; text: ReactNode }[] = [
  {
    value: 'aes-256',
    text: (
      <>
        {text.aes} <span className={typography.hint}>{text.aesHint}</span>
      </>
    ),
  },
  {
    value: 'zipcrypto',
    text: (
      <>
        {text.zipcrypto} <span className={typography.hint}>{text.zipcryptoHint}</span>
      </>
    ),
  },
];

/** Begins with what the settings say. */
export function useZipProtection(): [ZipProtection, (changed: ZipProtection) => void] {
  const { values } = useSettings();
  const [chosen, setChosen] = useState<ZipProtection | null>(null);
  return [chosen ?? { encryption: values.exportEncryption, password: values.exportPassword }, setChosen];
}

/** How a ZIP is locked. */
export function ZipProtectionFields({
  value,
  onChange,
}: {
  value: ZipProtection;
  onChange(changed: ZipProtection): void;
}) {
  return (
    <>
      <RadioChoice
        label={text.encryption}
        value={value.encryption}
        options={encryptions}
        onChange={(encryption) => onChange({ ...value, encryption })}
      />
      <TextField
        label={text.password}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        hint={text.passwordHint}
        problem={value.password === '' ? text.passwordMissing : null}
        maxLength={128}
        autoComplete="off"
        mono
      />
    </>
  );
}

/** Which folder: always the host's choice of one, never a path from the page. */
export function ExportFolder({ host }: { host: HostDescription }) {
  const client = useQueryClient();
  const { mutate, error } = useAction('host.chooseExportFolder');
  const { chooseFolder } = host.capabilities;
  if (!chooseFolder && host.exportFolder === null) return null;
  const choose = (): void =>
    mutate({}, { onSuccess: () => void client.invalidateQueries({ queryKey: ['host.describe'] }) });
  return (
    <div>
      <p className={classNames(layout.spreadRow, typography.body)}>
        <span className={classNames(typography.breaks, typography.muted)}>
          <bdi>{host.exportFolder === null ? text.noFolder : text.exportFolder(host.exportFolder)}</bdi>
        </span>
        {chooseFolder && (
          <Button size="small" onPress={choose}>
            {host.exportFolder === null ? text.chooseFolder : text.changeFolder}
          </Button>
        )}
      </p>
      {error && <FailureNotice failure={error} />}
    </div>
  );
}

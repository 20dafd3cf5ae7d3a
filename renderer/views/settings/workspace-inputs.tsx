import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { longestCertificateBytes } from '../../../shared/domain/workspace.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';
import type { SecretField } from './workspace-network.ts';

interface SecretInputProps {
  label: string;
  words: { stored: string; cleared: string; keep: string; hint: string };
  field: SecretField;
  problem?: string | null;
  maxLength: number;
  onChange(change: Partial<SecretField>): void;
}

/** Write-only: what is stored never comes to the page, so there is nothing to show but that it is there. */
export function SecretInput({ label, words, field, problem = null, maxLength, onChange }: SecretInputProps) {
  if (field.intent === 'set') {
    return (
      <div className={classNames(layout.stack4, styles.token)}>
        <TextField
          label={label}
          type="password"
          value={field.typed}
          onChange={(typed) => onChange({ typed })}
          hint={words.hint}
          problem={problem}
          maxLength={maxLength}
          autoComplete="off"
          mono
        />
        {field.stored && (
          <Button size="small" look="quiet" onPress={() => onChange({ intent: 'keep', typed: '' })}>
            {words.keep}
          </Button>
        )}
      </div>
    );
  }
  const isCleared = field.intent === 'clear';
  return (
    <div role="group" aria-label={label} className={classNames(layout.wrapRow8, styles.storedToken)}>
      <span>{isCleared ? words.cleared : words.stored}</span>
      <span className={layout.wrap8}>
        <Button size="small" onPress={() => onChange({ intent: 'set', typed: '' })}>
          {text.replaceToken}
        </Button>
        <Button size="small" look="quiet" onPress={() => onChange({ intent: isCleared ? 'keep' : 'clear' })}>
          {isCleared ? words.keep : text.clearToken}
        </Button>
      </span>
    </div>
  );
}

interface PemFieldProps {
  label: string;
  value: string;
  hint: string;
  problem: string | undefined;
  /** A private key: its letters are not shown, and it is read here alone. */
  isSecret?: boolean;
  mostBytes?: number;
  onChange(pem: string): void;
}

/** PEM text, typed or from a file. A certificate as DER is read by the host. */
export function PemField({
  label,
  value,
  hint,
  problem,
  isSecret = false,
  mostBytes = longestCertificateBytes,
  onChange,
}: PemFieldProps) {
  const reading = useAction('workspaces.readAuthority');
  const [refused, setRefused] = useState<string | null>(null);
  const take = (bytes: Uint8Array): void => {
    const pem = new TextDecoder().decode(bytes);
    if (isSecret || pem.includes('-----BEGIN ')) return onChange(pem);
    reading.mutate({ base64: base64Of(bytes) }, { onSuccess: (read) => onChange(read.pem) });
  };
  const unread = reading.error === null ? null : describeFailure(reading.error);
  return (
    <div className={classNames(layout.stack4, isSecret && styles.masked)}>
      <TextField
        label={label}
        value={value}
        onChange={(typed) => {
          setRefused(null);
          reading.reset();
          onChange(typed);
        }}
        hint={hint}
        problem={refused ?? (unread ? `${unread.what}. ${unread.then}` : (problem ?? null))}
        rows={4}
        autoComplete="off"
        mono
      />
      <FileButton
        label={label}
        mostBytes={mostBytes}
        onFile={(_file, bytes) => {
          setRefused(null);
          take(bytes);
        }}
        onRefused={setRefused}
      />
    </div>
  );
}

interface FileButtonProps {
  label: string;
  accept?: string[];
  mostBytes: number;
  onFile(file: File, bytes: Uint8Array): void;
  onRefused(problem: string): void;
}

/** The page reads the file that was chosen: no path of this computer goes to the host. */
export function FileButton({ label, accept, mostBytes, onFile, onRefused }: FileButtonProps) {
  const read = async (file: File): Promise<void> => {
    if (file.size > mostBytes) return onRefused(text.fileTooLarge(mostBytes / 1024));
    const buffer = await file.arrayBuffer().catch(() => null);
    if (buffer === null) onRefused(text.fileUnreadable);
    else onFile(file, new Uint8Array(buffer));
  };
  const choose = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) void read(file);
  };
  return (
    <div>
      <FileTrigger onSelect={choose} {...(accept && { acceptedFileTypes: accept })}>
        <Button size="small" aria-label={text.chooseFileFor(label)}>
          {text.chooseFile}
        </Button>
      </FileTrigger>
    </div>
  );
}

export const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

import { useId, useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { longestCertificateBytes, type WorkspaceView } from '../../../shared/domain/workspace.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import type { SettingPlace } from '../../state/settings-index.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Fold, Setting } from './setting.tsx';
import styles from './settings.module.css';
import { text as allText } from './strings.ts';
import { base64Of, FileButton, PemField, SecretInput } from './workspace-inputs.tsx';
import {
  addsHost,
  type CertificateFields,
  isUsualNetwork,
  movesProxy,
  type NetworkFields,
  type NetworkProblems,
  networkSummary,
} from './workspace-network.ts';

const text = allText.network;

interface NetworkSectionProps {
  /** null for a new workspace. */
  stored: WorkspaceView | null;
  fields: NetworkFields;
  /** Of the services, as they are typed. */
  addresses: readonly string[];
  problems: NetworkProblems;
  onChange(fields: NetworkFields): void;
}

/** The way to the services, where it is not the usual one. Folded until something is set, or wrong. */
export function NetworkSection({ stored, fields, addresses, problems, onChange }: NetworkSectionProps) {
  const { soughtSetting } = useNavigation();
  const isSought = soughtSetting !== null && networkPlaces.has(soughtSetting.place);
  const [isOpen, setOpen] = useState(isSought || !isUsualNetwork(fields));
  const isShown = isOpen || Object.keys(problems).some((name) => networkProblemNames.has(name));
  const movesHost = addsHost(stored, addresses);
  return (
    <Fold title={text.title} summary={networkSummary(fields)} isOpen={isShown} onToggle={setOpen}>
      {isShown && (
        <div className={classNames(layout.stack16, styles.foldFields)}>
          <Setting place="proxy">
            <ProxyFields
              stored={stored?.proxy ?? null}
              fields={fields.proxy}
              problems={problems}
              onChange={(proxy) => onChange({ ...fields, proxy })}
            />
          </Setting>
          <Setting place="frontLogin">
            <LoginFields
              fields={fields.basic}
              movesHost={movesHost && stored?.front.basic?.hasPassword === true}
              problems={problems}
              onChange={(basic) => onChange({ ...fields, basic })}
            />
          </Setting>
          <Setting place="clientCertificate">
            <CertificateChoice
              fields={fields.certificate}
              movesHost={movesHost && stored?.front.clientCertificate?.hasKey === true}
              problems={problems}
              onChange={(certificate) => onChange({ ...fields, certificate })}
            />
          </Setting>
        </div>
      )}
    </Fold>
  );
}

const networkPlaces: ReadonlySet<SettingPlace> = new Set<SettingPlace>(['proxy', 'frontLogin', 'clientCertificate']);

const networkProblemNames: ReadonlySet<string> = new Set<keyof NetworkProblems>([
  'proxyAddress',
  'proxyUser',
  'basicUser',
  'basicPassword',
  'certificate',
  'key',
  'pkcs12',
]);

const proxies = [
  { value: 'automatic', text: text.proxies.automatic },
  { value: 'none', text: text.proxies.none },
  { value: 'fixed', text: text.proxies.fixed },
] as const;

interface ProxyFieldsProps {
  stored: WorkspaceView['proxy'] | null;
  fields: NetworkFields['proxy'];
  problems: NetworkProblems;
  onChange(fields: NetworkFields['proxy']): void;
}

function ProxyFields({ stored, fields, problems, onChange }: ProxyFieldsProps) {
  return (
    <div className={layout.stack8}>
      <RadioChoice
        label={text.proxy}
        value={fields.kind}
        options={proxies}
        onChange={(kind) => onChange({ ...fields, kind })}
      />
      {fields.kind === 'fixed' && (
        <div role="group" aria-label={text.proxyLogin} className={classNames(layout.stack8, styles.option)}>
          <TextField
            label={text.proxyAddress}
            value={fields.address}
            onChange={(address) => onChange({ ...fields, address })}
            hint={text.proxyAddressHint}
            problem={problems.proxyAddress ?? null}
            maxLength={300}
            autoComplete="off"
            mono
          />
          {movesProxy(stored, fields) && <Notice meaning="warn" title={text.newProxy} />}
          <TextField
            label={text.proxyUser}
            value={fields.username}
            onChange={(username) => onChange({ ...fields, username })}
            hint={text.proxyUserHint}
            problem={problems.proxyUser ?? null}
            maxLength={255}
            autoComplete="off"
          />
          {(fields.username.trim() !== '' || fields.password.stored) && (
            <SecretInput
              label={text.proxyPassword}
              words={text.passwords}
              field={fields.password}
              maxLength={255}
              onChange={(password) => onChange({ ...fields, password: { ...fields.password, ...password } })}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface LoginFieldsProps {
  fields: NetworkFields['basic'];
  movesHost: boolean;
  problems: NetworkProblems;
  onChange(fields: NetworkFields['basic']): void;
}

function LoginFields({ fields, movesHost, problems, onChange }: LoginFieldsProps) {
  const hint = useId();
  return (
    <div className={layout.stack8}>
      <div>
        <Checkbox isSelected={fields.isOn} onChange={(isOn) => onChange({ ...fields, isOn })} aria-describedby={hint}>
          {text.basic}
        </Checkbox>
        <p id={hint} className={classNames(typography.hint, styles.option)}>
          {text.basicHint}
        </p>
      </div>
      {fields.isOn && (
        <div role="group" aria-label={text.basicTitle} className={classNames(layout.stack8, styles.option)}>
          <TextField
            label={text.basicUser}
            value={fields.username}
            onChange={(username) => onChange({ ...fields, username })}
            problem={problems.basicUser ?? null}
            maxLength={255}
            autoComplete="off"
          />
          {movesHost && fields.password.intent === 'keep' && <Notice meaning="warn" title={text.newHost} />}
          <SecretInput
            label={text.basicPassword}
            words={text.passwords}
            field={fields.password}
            problem={problems.basicPassword ?? null}
            maxLength={4096}
            onChange={(password) => onChange({ ...fields, password: { ...fields.password, ...password } })}
          />
        </div>
      )}
    </div>
  );
}

interface CertificateProps {
  fields: CertificateFields;
  movesHost: boolean;
  problems: NetworkProblems;
  onChange(fields: CertificateFields): void;
}

function CertificateChoice({ fields, movesHost, problems, onChange }: CertificateProps) {
  const hint = useId();
  const { intent, stored } = fields;
  const turn = (isOn: boolean): void =>
    onChange({ ...fields, intent: isOn ? (stored === null ? 'set' : 'keep') : 'clear' });
  return (
    <div className={layout.stack8}>
      <div>
        <Checkbox isSelected={intent !== 'clear'} onChange={turn} aria-describedby={hint}>
          {text.certificate}
        </Checkbox>
        <p id={hint} className={classNames(typography.hint, styles.option)}>
          {text.certificateHint}
        </p>
      </div>
      {intent !== 'clear' && (
        <div role="group" aria-label={text.certificateTitle} className={classNames(layout.stack8, styles.option)}>
          {intent === 'keep' && movesHost && <Notice meaning="warn" title={text.newCertificateHost} />}
          {intent === 'keep' && stored !== null && (
            <StoredCertificate stored={stored} onReplace={() => onChange({ ...fields, intent: 'set' })} />
          )}
          {intent === 'set' && <NewCertificate fields={fields} problems={problems} onChange={onChange} />}
          {intent === 'set' && stored !== null && (
            <div>
              <Button size="small" look="quiet" onPress={() => onChange({ ...fields, intent: 'keep' })}>
                {text.keepCertificate}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface StoredCertificateProps {
  stored: NonNullable<WorkspaceView['front']['clientCertificate']>;
  onReplace(): void;
}

function StoredCertificate({ stored, onReplace }: StoredCertificateProps) {
  const { kind, subject, validFrom, validTo, fingerprint, hasKey } = stored;
  const day = (instant: string): string => instant.slice(0, 10);
  return (
    <div className={classNames(layout.stack8, styles.storedCertificate)}>
      {!hasKey && <Notice meaning="warn" title={text.keyMissing} />}
      <div className={classNames(layout.wrapRow8, styles.storedHead)}>
        <span>{text.certificateOf[kind]}</span>
        <Button size="small" onPress={onReplace}>
          {allText.replaceToken}
        </Button>
      </div>
      <dl className={classNames(layout.stack, typography.facts, styles.facts)}>
        <div>
          <dt>{text.facts.subject}</dt>
          <dd>
            <bdi className={typography.anywhere}>{visibleText(subject)}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.facts.valid}</dt>
          <dd>{text.validFromTo(day(validFrom), day(validTo))}</dd>
        </div>
        <div>
          <dt>{text.facts.fingerprint}</dt>
          <dd>
            <span className={classNames(typography.mono, typography.anywhere)}>{fingerprint}</span>
          </dd>
        </div>
      </dl>
    </div>
  );
}

const certificateKinds = [
  { value: 'pem', text: text.certificateKinds.pem },
  { value: 'pkcs12', text: text.certificateKinds.pkcs12 },
] as const;

function NewCertificate({ fields, problems, onChange }: Omit<CertificateProps, 'movesHost'>) {
  return (
    <>
      <RadioChoice
        label={text.certificateKind}
        value={fields.kind}
        options={certificateKinds}
        onChange={(kind) => onChange({ ...fields, kind })}
        isInline
      />
      {fields.kind === 'pem' ? (
        <PemFields fields={fields} problems={problems} onChange={onChange} />
      ) : (
        <Pkcs12Field fields={fields} problem={problems.pkcs12} onChange={onChange} />
      )}
      <TextField
        label={text.passphrase}
        type="password"
        value={fields.passphrase}
        onChange={(passphrase) => onChange({ ...fields, passphrase })}
        hint={text.passphraseHint}
        maxLength={1024}
        autoComplete="off"
      />
    </>
  );
}

const keyBlock = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+?-----END [A-Z ]*PRIVATE KEY-----\s*/g;

/** A key that comes with the certificate goes to its own field, where it is not shown. */
function PemFields({ fields, problems, onChange }: Omit<CertificateProps, 'movesHost'>) {
  const takeCertificate = (pem: string): void => {
    const [key = fields.key] = pem.match(keyBlock) ?? [];
    onChange({ ...fields, certificate: pem.replace(keyBlock, ''), key });
  };
  return (
    <>
      <PemField
        label={text.certificatePem}
        value={fields.certificate}
        hint={text.certificatePemHint}
        problem={problems.certificate}
        onChange={takeCertificate}
      />
      <PemField
        label={text.keyPem}
        value={fields.key}
        hint={text.keyPemHint}
        problem={problems.key}
        isSecret
        onChange={(key) => onChange({ ...fields, key })}
      />
    </>
  );
}

interface Pkcs12FieldProps {
  fields: CertificateFields;
  problem: string | undefined;
  onChange(fields: CertificateFields): void;
}

function Pkcs12Field({ fields, problem, onChange }: Pkcs12FieldProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const take = ({ name }: File, bytes: Uint8Array): void => {
    setRefused(null);
    onChange({ ...fields, file: { name, base64: base64Of(bytes) } });
  };
  return (
    <div className={layout.stack4}>
      <TextField
        label={text.pkcs12}
        value={fields.file === null ? text.noFile : visibleText(fields.file.name)}
        problem={refused ?? problem ?? null}
        isReadOnly
      />
      <FileButton
        label={text.pkcs12}
        accept={['.p12', '.pfx']}
        mostBytes={longestCertificateBytes}
        onFile={take}
        onRefused={setRefused}
      />
    </div>
  );
}

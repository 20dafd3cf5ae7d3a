import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { text } from './text.ts';
import { fieldsOf, type ServiceFields, type TokenField, type WorkspaceFields } from './workspace-fields.ts';

/** What is stored otherwise than the form has it: the field's name, and its value there. Untrusted text. */
export type StoredOtherwise = readonly [label: string, stored: string];

interface Versions {
  own: WorkspaceFields;
  /** What the form was begun from. */
  before: WorkspaceFields;
  now: WorkspaceFields;
}

/**
 * A workspace that was changed elsewhere, in the form: what was typed here stays, and what was not touched is as it is
 * stored now.
 */
export function overStored(
  own: WorkspaceFields,
  before: WorkspaceView,
  now: WorkspaceView,
): { fields: WorkspaceFields; otherwise: StoredOtherwise[] } {
  const versions = { own, before: fieldsOf(before), now: fieldsOf(now) };
  return {
    fields: joined(versions),
    otherwise: valuesOf(versions.now).flatMap(([label, stored], index) =>
      bothChanged(versions, index) ? [[label, stored] as const] : [],
    ),
  };
}

function joined(versions: Versions): WorkspaceFields {
  const { own, before, now } = versions;
  const options = (of: WorkspaceFields) => of.options;
  const receivers = (of: WorkspaceFields) => of.options.receivers;
  const { trust, pem, fingerprint } = trustText(own) === trustText(before) ? now : own;
  return {
    name: kept(versions, ({ name }) => name),
    repository: joinedService(own.repository, before.repository, now.repository),
    ruleEditor: joinedService(own.ruleEditor, before.ruleEditor, now.ruleEditor),
    allowHttp: kept(versions, ({ allowHttp }) => allowHttp),
    trust,
    pem,
    fingerprint,
    connectSeconds: kept(versions, ({ connectSeconds }) => connectSeconds),
    firstByteSeconds: kept(versions, ({ firstByteSeconds }) => firstByteSeconds),
    idleSeconds: kept(versions, ({ idleSeconds }) => idleSeconds),
    options: {
      tokenInForm: kept(versions, (of) => options(of).tokenInForm),
      commentForm: kept(versions, (of) => options(of).commentForm),
      decodesComments: kept(versions, (of) => options(of).decodesComments),
      receivers: {
        virusTotal: kept(versions, (of) => receivers(of).virusTotal),
        sandbox: kept(versions, (of) => receivers(of).sandbox),
      },
    },
  };
}

function kept<T extends string | boolean>({ own, before, now }: Versions, valueOf: (fields: WorkspaceFields) => T): T {
  return valueOf(own) === valueOf(before) ? valueOf(now) : valueOf(own);
}

function joinedService(own: ServiceFields, before: ServiceFields, now: ServiceFields): ServiceFields {
  return {
    baseUrl: own.baseUrl === before.baseUrl ? now.baseUrl : own.baseUrl,
    token: joinedToken(own.token, now.token),
  };
}

function joinedToken(own: TokenField, now: TokenField): TokenField {
  const isMeant = own.typed !== '' || (own.intent === 'clear' && now.stored);
  return isMeant ? { ...own, stored: now.stored } : now;
}

function bothChanged({ own, before, now }: Versions, index: number): boolean {
  const [mine, was, is] = [own, before, now].map((fields) => valuesOf(fields)[index]?.[1]);
  return mine !== was && is !== was && mine !== is;
}

/** Every field that two may have changed to different values; a tick has but two. */
function valuesOf(fields: WorkspaceFields): StoredOtherwise[] {
  const { virusTotal, sandbox } = fields.options.receivers;
  return [
    [text.name, fields.name],
    [`${text.repository}, ${text.address}`, fields.repository.baseUrl || text.noService],
    [`${text.ruleEditor}, ${text.address}`, fields.ruleEditor.baseUrl || text.noService],
    [text.trust, trustText(fields)],
    [text.connect, fields.connectSeconds],
    [text.firstByte, fields.firstByteSeconds],
    [text.idle, fields.idleSeconds],
    [text.commentForm, text.commentForms[fields.options.commentForm]],
    [text.virusTotalName, virusTotal],
    [text.sandboxName, sandbox],
  ];
}

const trustText = ({ trust, pem, fingerprint }: WorkspaceFields): string =>
  [text.trusts[trust], { system: '', authority: pem, pin: fingerprint }[trust]].join(' ').trim();

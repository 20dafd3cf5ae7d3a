import { type BrokenServer, startBrokenServer } from '../faults/broken-server.ts';
import { type ScriptedRuleEditor, startRuleEditor } from '../faults/rule-editor.ts';
import { packed } from '../rule-package.ts';
import { markupOf, markups } from './markup.ts';

/** A team's services in which every text is hostile: markup, and the token as they were sent it. */
export interface HostileTeam {
  repository: BrokenServer;
  editor: ScriptedRuleEditor;
  /** The bytes of its one sample. */
  sample: Uint8Array;
  /** From now on each rule check is refused, in words of its own. */
  refuseChecks(): void;
  close(): Promise<void>;
}

const sample = new TextEncoder().encode('bytes that the rule of the package finds: markup-marker');

export async function startHostileTeam(token: string): Promise<HostileTeam> {
  const [repository, editor] = await Promise.all([
    startBrokenServer({ faults: {}, sample, record: recordWith(token) }),
    startRuleEditor(),
  ]);
  const version = '1.0 <img src=x onerror=globalThis.taken=1>';
  const files = {
    'a <img src=x onerror=globalThis.taken=1>/marked.yar': rulesWith(token),
    '<script>globalThis.taken=1<script>.yar': brokenRulesWith(token),
  };
  editor.publish('1.0', await packed(files, { version, group: `Team ${token}` }));
  editor.answer('checkpackageversion', (response) =>
    response.end(
      JSON.stringify({
        outdated: true,
        last_version: version,
        id: '1.0',
        group: markupOf('group'),
        note: markupOf('note'),
      }),
    ),
  );
  editor.answer('scanfile', (response) => response.end(JSON.stringify(scanReplyWith(token))));
  return {
    repository,
    editor,
    sample,
    refuseChecks: () =>
      editor.answer('checkpackageversion', (response) =>
        response.writeHead(403).end(`${markupOf('refusal')} ?token=${token}`),
      ),
    close: async () => void (await Promise.all([repository.close(), editor.close()])),
  };
}

function recordWith(token: string): Record<string, unknown> {
  const thread = markups.map((markup, at) => ({
    id: at + 2,
    parent: 1,
    author: markup,
    content: `${markup} reply-${at} ${token}`,
    created: '2026-11-17 08:00:00',
  }));
  return {
    filename: `${markupOf('name')} ${token}`,
    user_name: markupOf('uploader'),
    threat: `${token} ${markupOf('threat')}`,
    mime: markupOf('mime'),
    date: markupOf('date'),
    tags: ['tag', ...markups].join(','),
    urls: [
      { name: markupOf('url-name'), url: 'javascript:globalThis.taken=1' },
      { name: 'url-other', url: 'data:text/html,<script>globalThis.taken=1</script>' },
    ],
    comment: markupOf('first-comment'),
    comments: [
      { id: 1, parent: null, author: markupOf('author'), content: markupOf('comment'), created: markupOf('created') },
      ...thread,
    ],
    virustotal_status: markupOf('vt-state'),
    virustotal_score: markupOf('vt-score'),
    virustotal_link: 'javascript:globalThis.taken=1',
    cuckoo_status: markupOf('sandbox'),
    cuckoo_link: 'javascript:globalThis.taken=1',
    ssdeep: markupOf('ssdeep'),
    imphash: markupOf('imphash'),
    signer: markupOf('signer'),
    pdbpath: `/api.php?action=getfile&token=${encodeURIComponent(token)}`,
    [markupOf('unknown-member')]: {
      [markupOf('inner')]: [markupOf('unknown-value')],
      asked: token,
      encoded: Buffer.from(token).toString('base64'),
    },
  };
}

const quoted = (text: string): string => JSON.stringify(text.replace(/[^\x20-\x7e]/g, ''));

function rulesWith(token: string): string {
  const meta = {
    author: markupOf('meta-author'),
    description: `${token} ${markupOf('meta-description')}`,
    reference: 'javascript:globalThis.taken=1',
  };
  const lines = Object.entries(meta)
    .map(([name, value]) => `    ${name} = ${quoted(value)}\n`)
    .join('');
  return (
    `// ${markupOf('rule-comment')}\nrule marked : some_tag {\n  meta:\n${lines}  strings:\n` +
    `    $a = "markup-marker"\n    $b = ${quoted(markupOf('string'))}\n  condition:\n    any of them\n}\n`
  );
}

const brokenRulesWith = (token: string): string =>
  `rule broken {\n  condition:\n    $missing // ${token} ${markupOf('broken-condition')}\n}\n`;

function scanReplyWith(token: string): object {
  const meta = { [markupOf('meta-key')]: markupOf('meta-value'), author: markupOf('rule-author'), asked: token };
  return {
    matches: [
      {
        rule: markupOf('service-rule'),
        namespace: `${token} ${markupOf('namespace')}`,
        tags: [markupOf('rule-tag'), ...markups],
        meta,
        strings: [{ name: markupOf('string-name'), offset: 0, data: markupOf('string-data') }],
      },
    ],
  };
}

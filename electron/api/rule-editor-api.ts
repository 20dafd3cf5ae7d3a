import type { Json } from '../../shared/domain/sample.ts';
import type { Call } from './call.ts';
import { type CallOptions, type ClientOptions, createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { boundJson } from './replies/bound-json.ts';
import { readJsonReply } from './replies/read-json-reply.ts';

/** The rule editor's calls (docs/services.md, "checkpackageversion"). */
export interface RuleEditorApi {
  /** What the service says of a version; `0` is how a desk asks that has none. The names in the reply are not settled: it is kept as it is. */
  checkVersion(version: string, options?: CallOptions): Promise<Json>;
}

export function createRuleEditorApi(connection: Connection, options: ClientOptions = {}): RuleEditorApi {
  const client = createClient(connection, options);
  return {
    checkVersion: async (version, callOptions) => {
      const call: Call = { action: 'checkpackageversion', parameters: [['version', version], ['beta', 'false']], hashes: [] };
      const facts = client.facts(call);
      return boundJson(readJsonReply(await client.read(call, callOptions), facts), facts.redaction.data);
    },
  };
}

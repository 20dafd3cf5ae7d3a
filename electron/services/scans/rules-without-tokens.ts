import { redactionFor } from '../../api/redaction.ts';
import type { RuleFacts } from '../../rules/rule-library.ts';
import type { RulesPort } from './rules-port.ts';

/**
 * What a rule says of itself is kept with its hits, as it is; its package lies in a container. A token that a server wrote into
 * the rules it served is left out, so that the database holds none. `tokensOf` are those of a workspace, as far as they can be had.
 */
export function rulesWithoutTokens(rules: RulesPort, tokensOf: (workspaceId: string) => Promise<string[]>): RulesPort {
  return {
    pieces: (workspaceId, sha256) => rules.pieces(workspaceId, sha256),
    facts: async (workspaceId, sha256, names) => {
      const [found, tokens] = await Promise.all([rules.facts(workspaceId, sha256, names), tokensOf(workspaceId)]);
      const redact = (text: string): string => tokens.reduce((left, token) => redactionFor(token).data(left), text);
      return found.map((facts) => facts && redacted(facts, redact));
    },
  };
}

/** The name stays: it is what hits are matched by. */
const redacted = ({ file, tags, meta, family, ...facts }: RuleFacts, redact: (text: string) => string): RuleFacts => ({
  ...facts,
  file: redact(file),
  tags: tags.map(redact),
  meta: meta.map(({ key, value }) => ({ key: redact(key), value: redact(value) })),
  family: family === null ? null : redact(family),
});

/** A package as an engine compiles it: what cannot be used is not in it. */
export interface RulePieces {
  /** Modules, each once. */
  imports: string[];
  /** In an order to compile them in: a rule that another one uses comes before it. */
  rules: RulePiece[];
}

export interface RulePiece {
  /**
   * The key of the rule: see shared/domain/rule-names.ts. Several pieces have one key where a rule has several of them.
   */
  name: string;
  /** What the rule is called in `text`; not there: its name. No two pieces share one. */
  identifier?: string;
  /** The whole rule; the content of `meta` is left out where that changes nothing. */
  text: string;
  /** Names of the pieces that its own condition asks for. */
  uses: string[];
  /** Names of global rules of its namespace, which `text` asks for in front of its own condition; not there: none. */
  guards?: string[];
  /** Variables that a scan sets for each file and that its condition mentions; not there: `text` has them. */
  asks?: readonly string[];
  isGlobal: boolean;
  isPrivate: boolean;
}

/** As an engine names it in what it finds. */
export const identifierOf = ({ name, identifier }: Pick<RulePiece, 'name' | 'identifier'>): string =>
  identifier ?? name;

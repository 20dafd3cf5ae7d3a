/** A package as an engine compiles it: what cannot be used is not in it. */
export interface RulePieces {
  /** Modules, each once. */
  imports: string[];
  /** In an order to compile them in: a rule that another one uses comes before it. */
  rules: RulePiece[];
}

export interface RulePiece {
  name: string;
  /** The whole rule; what `meta` says is left out where that changes nothing. */
  text: string;
  /** Names that its condition mentions and that rules of the package have. */
  uses: string[];
  /** Variables that a scan sets for each file and that its condition mentions; not there: `text` says it. */
  asks?: readonly string[];
  isGlobal: boolean;
  isPrivate: boolean;
}

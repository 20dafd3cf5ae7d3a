import { YaraCompiler } from '../engine/yara-compiler.ts';

/** What the engine finds wrong with a rule, down to what can scan; null: nothing. It has to be loaded. */
export function verdict(rule: string): unknown {
  const compiler = new YaraCompiler([]);
  const fault = compiler.add(rule);
  if (fault === null) compiler.build();
  compiler.free();
  return fault;
}

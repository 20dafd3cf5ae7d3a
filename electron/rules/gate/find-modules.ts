import { YaraCompiler } from '../engine/yara-compiler.ts';
import type { UnknownModule } from './gate-messages.ts';

const canBeOne = /^\w{1,64}$/;

/** Which of the names the engine has no module for. */
export function findUnknownModules(names: readonly string[]): UnknownModule[] {
  const asked = names.filter((name) => canBeOne.test(name));
  const unknown = names
    .filter((name) => !canBeOne.test(name))
    .map((name): UnknownModule => ({ name, text: 'unknown module' }));
  const compiler = new YaraCompiler([]);
  const first = compiler.add(asked.map((name) => `import "${name}"`).join('\n'));
  for (const { line, text } of first === null ? [] : compiler.faults()) {
    const name = asked[(line ?? 0) - 1];
    if (name !== undefined) unknown.push({ name, text });
  }
  compiler.free();
  return unknown;
}

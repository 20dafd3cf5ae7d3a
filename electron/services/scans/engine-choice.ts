import type { LocalEngine, ScanPlan } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import type { NativeEngine } from './native-engine.ts';

export type EngineSetting = Settings['scanEngine'];

/** Which engine this desk scans with, and why it is not the other one. */
export async function planEngine(
  native: Pick<NativeEngine, 'check'>,
  chosen: EngineSetting,
): Promise<ScanPlan['local']> {
  if (chosen === 'wasm') return { engine: 'wasm', nativeFailure: null, chosen };
  const checked = await native.check();
  if (checked.ok) return { engine: 'native', nativeFailure: null, chosen };
  return { engine: 'wasm', nativeFailure: checked.text, chosen };
}

/** @throws FailureError `native-engine-missing` where it was asked for and there is none */
export async function requireEngine(native: Pick<NativeEngine, 'check'>, chosen: EngineSetting): Promise<LocalEngine> {
  const { engine, nativeFailure } = await planEngine(native, chosen);
  if (chosen === 'native' && nativeFailure !== null) fail({ kind: 'native-engine-missing', text: nativeFailure });
  return engine;
}

import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { ScanPace } from '../../storage/scans/scan-store.ts';

/**
 * What is kept of an engine's pace is what it would be with so many rules, so that hunts with few and with many learn
 * from each other.
 */
const usualRules = 1000;
const mebibyte = 1024 * 1024;

/**
 * As measured on a plain machine: each scan costs something, more with more rules, and then each MiB does. In
 * milliseconds.
 */
const plain: Record<LocalEngine, { scan: number; rule: number; mebibyte: number }> = {
  native: { scan: 0.1, rule: 0.0002, mebibyte: 6 },
  wasm: { scan: 5, rule: 0.02, mebibyte: 22 },
};

export interface ScanLoad {
  files: number;
  bytes: number;
  rules: number;
}

/** Milliseconds of one engine's time on a plain machine. */
function plainMs(engine: LocalEngine, { files, bytes, rules }: ScanLoad): number {
  const { scan, rule, mebibyte: each } = plain[engine];
  return files * (scan + rule * rules) + (bytes / mebibyte) * each;
}

/** How the time of scans on this computer was against that of a plain one; what is kept goes half-way to the newest. */
export function learnedPace(engine: LocalEngine, known: ScanPace | null, load: ScanLoad, tookMs: number): ScanPace {
  const scanMs = usualScanMs(engine) * (tookMs / plainMs(engine, load));
  return { scanMs: known === null ? scanMs : (known.scanMs + scanMs) / 2 };
}

/** Seconds that it will take with so many lanes; null where nothing is known of this computer. */
export function secondsFor(engine: LocalEngine, pace: ScanPace | null, load: ScanLoad, lanes: number): number | null {
  if (pace === null) return null;
  return (plainMs(engine, load) * (pace.scanMs / usualScanMs(engine))) / lanes / 1000;
}

const usualScanMs = (engine: LocalEngine): number => plain[engine].scan + plain[engine].rule * usualRules;

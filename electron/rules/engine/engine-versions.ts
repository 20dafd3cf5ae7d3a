import type { LocalEngine } from '../../../shared/domain/scan.ts';

/** The engines that scan here, as coverage names them. Another version may find something else in the same bytes. */
export const engineVersions: Readonly<Record<LocalEngine, string>> = {
  native: '@litko/yara-x 0.3.0',
  wasm: '@virustotal/yara-x 1.20.0',
};

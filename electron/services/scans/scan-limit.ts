import type { Settings } from '../../../shared/domain/settings.ts';

const bytesAMebibyte = 1024 * 1024;

/** What is larger is not scanned on this desk: engines take whole files. */
export const scanLimitBytes = ({ scanMebibytes }: Pick<Settings, 'scanMebibytes'>): number =>
  scanMebibytes * bytesAMebibyte;

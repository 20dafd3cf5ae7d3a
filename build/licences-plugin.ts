import type { Plugin } from 'vite';
import { readLicences } from './licences.ts';

const name = 'virtual:licences';
const resolved = `\0${name}`;

/**
 * The licences as a module of the page, made from the installed packages. Its type is in
 * `renderer/virtual-licences.d.ts`.
 */
export function licencesModule(): Plugin {
  return {
    name: 'licences',
    resolveId: (id) => (id === name ? resolved : null),
    load: (id) => (id === resolved ? `export const licences = ${JSON.stringify(readLicences())};` : null),
  };
}

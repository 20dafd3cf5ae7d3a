/** Made at the build, by `build/licences-plugin.ts`. */
declare module 'virtual:licences' {
  export interface LicensedPackage {
    name: string;
    version: string;
    /** An SPDX expression, as given by the package. */
    licence: string;
    /** Which of the texts; null: the package brings none. */
    text: number | null;
  }
  export const licences: { packages: readonly LicensedPackage[]; texts: readonly string[] };
}

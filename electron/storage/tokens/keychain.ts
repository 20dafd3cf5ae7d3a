/** The port to the operating system's keychain. Rejects when the keychain is locked or refuses. */
export interface Keychain {
  /** Its own name, shown to the person, such as `gnome_libsecret`. */
  readonly backend: string;
  seal(text: string): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<{ text: string; shouldReseal: boolean }>;
}

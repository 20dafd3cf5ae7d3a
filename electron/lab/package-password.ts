/** The password that encrypted packages are made with. It is in memory only; null: none are made. */
export class PackagePassword {
  current: string | null;

  constructor(password: string | null) {
    this.current = password;
  }
}

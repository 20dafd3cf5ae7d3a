/** The desk that is open is of another program: neither knows what the other means. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion';

  constructor(desks: string, own: string) {
    super(
      `Vitrine ${desks} is open on this data, and this is the command of ${own}. Close it, or use the command that came with it.`,
    );
  }
}

/** The desk that is open is of another program: neither knows what the other means. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion';

  constructor(desks: string, own: string) {
    super(
      `Vitrine ${desks} is open on this data, but this command is version ${own}. ` +
        'Close Vitrine, or use the command of the same version.',
    );
  }
}

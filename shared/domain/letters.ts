/** Only what SQLite's lower() makes smaller too: else a name with a capital umlaut would never be found. */
export const lowerLetters = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Cuts a long name in its middle, so that its beginning and its ending stay readable. Length in characters. */
export function cutMiddle(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const tail = Math.max(8, Math.floor(longest / 3));
  return `${characters.slice(0, longest - tail - 1).join('')}…${characters.slice(-tail).join('')}`;
}

/** At most so many UTF-16 units; what is left out is an ellipsis, and no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  const last = kept.charCodeAt(kept.length - 1);
  return `${last >= 0xd800 && last < 0xdc00 ? kept.slice(0, -1) : kept}…`;
}

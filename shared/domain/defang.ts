const webSchemes = /(h)tt(ps?):\/\//gi;
const otherSchemes = /(?<![a-z])(?!hxxps?:)([a-z][a-z0-9+.-]{0,40}):(?=\/\/)/gi;
const withoutSlashes = 'file|javascript|data|vbscript|mailto|search(?:-ms)?|ms-[a-z-]{1,60}|jar|mhtml|view-source|blob';
/** Schemes whose addresses need no slashes: for some of these, Windows searches a share or starts a tool. */
const bareSchemes = new RegExp(String.raw`(?<![a-z0-9-])(${withoutSlashes}):(?=\S)`, 'gi');

const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
const topLevel = String.raw`(?:xn--[a-z0-9-]{1,59}|[\p{L}\p{M}]{2,24})`;
const name = String.raw`(?:${letter}{1,63}\.){1,10}${topLevel}`;
/** What a program would make a link of. */
const hosts = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_.@\[\]\-])${name}(?=[:\/?#])`, 'giu');
const mail = new RegExp(String.raw`(?<=[\p{L}\p{N}_.+\-])@(${name})`, 'giu');
const bareWww = /(?<![a-z0-9])www\.(?=[\p{L}\p{N}-])/giu;
const afterScheme = /(hxxps?:\/\/)([^\s/?#]{1,253})/gi;
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = new RegExp(String.raw`(?<![\w.[\]]|\D-)(?:${octet}\.){3}${octet}(?!\w|\.\w)`, 'g');
/** `\\host\share`: where it is followed, Windows sends that host who is there. A path behind a drive is none. */
const shares = /(?<![\w\\]|\b[a-z]:)(\\{2,})([^\s\\/\]][^\s\\/]{0,252})/gi;

const bracketed = (host: string): string => host.replace(/(?<!\[)\.(?!\])/g, '[.]');

/**
 * Makes every address in a text unusable by a slip: `https://a.example/x` becomes `hxxps://a[.]example/x`. Only what
 * looks like an address is touched, so that prose and file names stay as they were written; four small numbers are an
 * address.
 */
export function defang(text: string): string {
  return text
    .replace(webSchemes, (_match, h: string, rest: string) => `${h}xx${rest.toLowerCase()}://`)
    .replace(afterScheme, (_match, scheme: string, host: string) => `${scheme}${bracketed(host)}`)
    .replace(otherSchemes, '$1[:]')
    .replace(bareSchemes, '$1[:]')
    .replace(shares, (_match, slashes: string, host: string) => `[${slashes}]${bracketed(host)}`)
    .replace(bareWww, 'www[.]')
    .replace(mail, (_match, host: string) => `[at]${bracketed(host)}`)
    .replace(hosts, bracketed)
    .replace(ipv4, bracketed);
}

const disarmedSign = /\[(\.|:|at|\\+)\]/gi;
const disarmedScheme = /(h)xx(ps?:\/\/)/gi;

/**
 * The same text whether or not an address in it was defanged, so that two can be compared; never to open one. What it
 * gives stays as it is when it is given again.
 */
export function refang(text: string): string {
  let [before, now] = ['', text];
  while (before !== now && /\[|hxx/i.test(now)) {
    before = now;
    now = now
      .replace(disarmedSign, (_match, sign: string) => (sign.toLowerCase() === 'at' ? '@' : sign))
      .replace(disarmedScheme, '$1tt$2');
  }
  return now;
}

const schemes = /(h)tt(ps?):\/\//gi;
const otherSchemes = /\b(ftps?|sftp|wss?|file|javascript|data|vbscript|ms-[a-z-]+):(?=\S)/gi;
/** A host with a top level of letters, or an IPv4 address: what a program would make a link of. */
const hosts = /(?<![\w.@[\]-])((?:[a-z0-9_-]{1,63}\.){1,10}[a-z]{2,24}|(?:\d{1,3}\.){3}\d{1,3})(?=[:/?#])/gi;
const afterScheme = /(hxxps?:\/\/)([^\s/?#]{1,253})/gi;
const bareWww = /(?<![a-z0-9])www\.(?=[a-z0-9-])/gi;
const mail = /([\w.+-]{1,64})@((?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24})/gi;

const bracketed = (host: string): string => host.replace(/(?<!\[)\.(?!\])/g, '[.]');

/**
 * Makes every address in a text unusable by a slip: `https://a.example/x` becomes `hxxps://a[.]example/x`. Only
 * what looks like an address is touched, so that prose and file names stay as they were written.
 */
export function defang(text: string): string {
  return text
    .replace(schemes, (_match, h: string, rest: string) => `${h}xx${rest.toLowerCase()}://`)
    .replace(afterScheme, (_match, scheme: string, host: string) => `${scheme}${bracketed(host)}`)
    .replace(otherSchemes, '$1[:]')
    .replace(bareWww, 'www[.]')
    .replace(mail, (_match, name: string, host: string) => `${name}[at]${bracketed(host)}`)
    .replace(hosts, (host) => bracketed(host));
}

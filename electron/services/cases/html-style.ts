import { createHash } from 'node:crypto';

/** The page's own colours (renderer/styles/tokens.css), light and dark. */
const light =
  '--surface:#fff;--sunk:#f6f8f9;--line:#dde2e6;--fg:#12181d;--fg-2:#414d57;--fg-3:#58646e;--accent:#0b5f91;' +
  '--b-text:#5a90b3;--b-code:#7a82ab;--b-high:#8f5f86;--b-ff:#59646d;--b-zero:#d3d9de';
const dark =
  '--surface:#161a1d;--sunk:#12161a;--line:#272e33;--fg:#e6ebee;--fg-2:#b4bec6;--fg-3:#97a3ac;--accent:#6dbdea;' +
  '--b-text:#45799a;--b-code:#6a729b;--b-high:#8f6888;--b-ff:#98a3ab;--b-zero:#2c343a';

export const htmlStyle = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1120px;padding:32px 24px 64px;\
background:var(--surface);color:var(--fg);font:13px/1.5 system-ui,sans-serif}
h1{margin:0 0 4px;font-size:22px;font-weight:600;line-height:1.3;overflow-wrap:anywhere}
h2{margin:32px 0 8px;font-size:14px;font-weight:600}
h3{margin:0;font-size:13px;font-weight:600;overflow-wrap:anywhere}
p{margin:0}
.under{color:var(--fg-2)}
.tlp{display:inline-block;padding:1px 8px;background:#000;font-weight:600;border-radius:3px}
.tlp-clear{color:#fff}.tlp-green{color:#3f0}.tlp-amber{color:#ffc000}.tlp-red{color:#ff2b2b}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:8px 40px}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--fg-2);font:12px system-ui,sans-serif}
svg .number{fill:var(--fg);font-variant-numeric:tabular-nums}
.bar{fill:var(--accent)}.ground{fill:var(--sunk)}.axis{stroke:var(--line);stroke-width:1}
.b-text{fill:var(--b-text)}.b-code{fill:var(--b-code)}.b-high{fill:var(--b-high)}\
.b-ff{fill:var(--b-ff)}.b-zero{fill:var(--b-zero)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;margin-bottom:8px;color:var(--fg-2)}
.key svg{display:inline;width:10px;height:10px;margin-right:6px}
article{display:grid;grid-template-columns:260px 1fr;gap:4px 20px;padding:12px 0;border-top:1px solid var(--line);\
content-visibility:auto;contain-intrinsic-size:auto 104px;break-inside:avoid}
article>*{min-width:0}
.strip{grid-row:span 2}.strip svg{width:248px;height:40px;background:var(--sunk)}
.none{color:var(--fg-3)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 12px;margin:4px 0 0}
dt{color:var(--fg-3)}dd{margin:0;overflow-wrap:anywhere}
code{font:12px ui-monospace,SFMono-Regular,Consolas,monospace}
.said{grid-column:2;margin-top:6px;padding:6px 10px;background:var(--sunk);border-left:2px solid var(--line)}
.said p{color:var(--fg-3)}
pre{margin:2px 0 0;font:12px/1.5 ui-monospace,SFMono-Regular,Consolas,monospace;\
white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:32px;padding-top:12px;border-top:1px solid var(--line);color:var(--fg-3)}
@media (max-width:720px){article{grid-template-columns:1fr}.said{grid-column:1}}
@media print{:root{${light}}body{max-width:none;padding:0;font-size:10px}\
article{content-visibility:visible}svg,.tlp,.said{print-color-adjust:exact}}
`;

const styleHash = createHash('sha256').update(htmlStyle).digest('base64');

/** Nothing but this one style sheet: no script, no picture or font from anywhere, nothing to send. */
export const htmlPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

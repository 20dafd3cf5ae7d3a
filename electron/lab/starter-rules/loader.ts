import { fileOf, type StarterFile } from './starter-file.ts';

const environmentScript = String.raw`
rule powershell_setup_script : script windows
{
    meta:
        author = "Vitrine"
        description = "The loader script of the Paperwasp lures, as far as it was ever seen"
        revision = 1
    strings:
        $says = "Write-Output \"hello\"" ascii wide
    condition:
        filesize < 64KB and #says > 4
}`;

const encodedCommand = (...strings: readonly string[]): string => String.raw`
rule powershell_encoded_command : script windows
{
    meta:
        author = "Vitrine"
        description = "A hidden PowerShell that is given its commands in base64"
        revision = 5
    strings:
${strings.map((line) => `        ${line}`).join('\n')}
    condition:
        $encoded and any of ($hidden*)
}`;

const encoded = String.raw`$encoded = /-e(nc|ncodedcommand)?[ \t]+[A-Za-z0-9+\/]{40,400}/ nocase ascii wide`;
const hidden = String.raw`$hidden_window = /-w(indowstyle)?[ \t]+hidden/ nocase ascii wide`;
const unattended = '$hidden_prompt = "-noninteractive" nocase ascii wide';

const shortcutToScript = String.raw`
rule shortcut_to_script : script windows
{
    meta:
        author = "Vitrine"
        description = "A shortcut that leads to a script host"
        revision = 1
    strings:
        $header = { 4c 00 00 00 01 14 02 00 }
        $wscript = "wscript.exe" nocase wide
        $mshta = "mshta.exe" nocase wide
    condition:
        $header at 0 and any of ($wscript, $mshta)
}`;

/** In Test one rule knows another string, and one is gone. */
export const loader: StarterFile = {
  path: 'loader/scripts.yar',
  release: fileOf(environmentScript, encodedCommand(encoded, hidden), shortcutToScript),
  test: fileOf(environmentScript, encodedCommand(encoded, hidden, unattended)),
};

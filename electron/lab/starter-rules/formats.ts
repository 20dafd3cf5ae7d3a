import { fileOf, type StarterFile } from './starter-file.ts';

const windowsExecutable = String.raw`
rule windows_executable : format windows
{
    meta:
        author = "Vitrine"
        description = "A portable executable: DOS header, and PE signature at its offset"
        revision = 2
    condition:
        uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550
}`;

const elfExecutable = String.raw`
rule elf_executable : format linux
{
    meta:
        author = "Vitrine"
        description = "An ELF file of 32 or 64 bits"
        revision = 1
    strings:
        $magic = { 7f 45 4c 46 (01 | 02) 01 01 }
    condition:
        $magic at 0
}`;

const shellLink = String.raw`
rule shell_link : format windows
{
    meta:
        author = "Vitrine"
        description = "A Windows shortcut: size and class of its fixed header"
        revision = 1
    strings:
        $header = { 4c 00 00 00 01 14 02 00 00 00 00 00 c0 00 00 00 00 00 00 46 }
    condition:
        $header at 0
}`;

const pdfWithScript = String.raw`
rule pdf_with_script : format document
{
    meta:
        author = "Vitrine"
        description = "A PDF that runs a script when it is opened"
        revision = 3
    strings:
        $script = "/JavaScript" nocase
        $short = /\/JS[ \t]*[(<]/
        $opens = "/OpenAction"
        $acts = "/AA"
    condition:
        uint32be(0) == 0x25504446 and any of ($script, $short) and any of ($opens, $acts)
}`;

/** The halves of the test file of https://www.eicar.org: no file of ours holds it whole. */
const eicarTestFile = String.raw`
rule eicar_test_file : testfile
{
    meta:
        author = "Vitrine"
        description = "The antivirus test file. Harmless, and every scanner must find it"
        reference = "https://www.eicar.org"
        revision = 1
    strings:
        $first = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$"
        $second = "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
    condition:
        $first at 0 and $second at 28 and filesize < 129
}`;

const pngOfOnePixel = String.raw`
rule png_of_one_pixel : format tracking
{
    meta:
        author = "Vitrine"
        description = "A PNG of one pixel, used in emails to track that they were opened"
        revision = 1
    strings:
        $header = { 00 00 00 0d 49 48 44 52 00 00 00 01 00 00 00 01 }
    condition:
        uint32be(0) == 0x89504e47 and $header at 8
}`;

/** Test has one rule more, which finds a specimen. */
export const formats: StarterFile = {
  path: 'generic/formats.yar',
  release: fileOf(windowsExecutable, elfExecutable, shellLink, pdfWithScript, eicarTestFile),
  test: fileOf(windowsExecutable, elfExecutable, shellLink, pdfWithScript, eicarTestFile, pngOfOnePixel),
};

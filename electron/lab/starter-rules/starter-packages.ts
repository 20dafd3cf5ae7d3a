import type { NewPackage } from '../package-archive.ts';

/** A file of the starter rules as both packages have it. */
interface StarterFile {
  /** In the package. */
  path: string;
  release: string;
  test: string;
}

/** A rule file of these pieces, each of them whole rules or statements. */
const fileOf = (...pieces: readonly string[]): string => pieces.map((piece) => `${piece.trim()}\n`).join('\n');

const modules = 'import "math"';

const highEntropy = (leastSize: string, leastBits: string): string => String.raw`
rule high_entropy : packed
{
    meta:
        author = "Vitrine"
        description = "Packed or encrypted from the first byte to the last"
        revision = 4
    condition:
        filesize > ${leastSize} and math.entropy(0, filesize) > ${leastBits}
}`;

const packedExecutable = String.raw`
rule packed_executable : packed windows
{
    meta:
        author = "Vitrine"
        description = "A Windows program with little to read in its first 256 KiB"
        revision = 2
    strings:
        $upx = "UPX!"
        $aspack = ".aspack"
        $petite = ".petite"
    condition:
        uint16(0) == 0x5a4d and (any of them or (filesize > 256KB and math.entropy(1KB, 255KB) > 7.4))
}`;

/** Test requires more before it reports noise: a sample file of 48 KiB does not count then. */
const entropy: StarterFile = {
  path: 'generic/entropy.yar',
  release: fileOf(modules, highEntropy('16KB', '7.2'), packedExecutable),
  test: fileOf(modules, highEntropy('64KB', '7.9'), packedExecutable),
};

const formatsFirst = 'include "generic/formats.yar"';

const glasswingStub = (confidence: string): string => String.raw`
rule glasswing_stub : family windows
{
    meta:
        author = "Vitrine"
        description = "The stub of the Glasswing dropper, an invented family of the lab"
        confidence = "${confidence}"
        revision = 2
    strings:
        $stub = "This program cannot be run in DOS mode"
        $signature = { 50 45 00 00 4c 01 }
        $mark = "VITRINE SPECIMEN, NO CODE INSIDE"
    condition:
        windows_executable and $mark at 0x200 and $stub and $signature
}`;

const mothlightAgent = String.raw`
rule mothlight_agent : family linux
{
    meta:
        author = "Vitrine"
        description = "The Mothlight agent, an invented family of the lab"
        confidence = "high"
        revision = 1
    strings:
        $mark = "VITRINE SPECIMEN, NO CODE INSIDE"
    condition:
        elf_executable and $mark at 64
}`;

/** In Test one rule has other metadata. */
const families: StarterFile = {
  path: 'families.yar',
  release: fileOf(formatsFirst, glasswingStub('medium'), mothlightAgent),
  test: fileOf(formatsFirst, glasswingStub('high'), mothlightAgent),
};

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

/** Test has one rule more, which finds a sample file. */
const formats: StarterFile = {
  path: 'generic/formats.yar',
  release: fileOf(windowsExecutable, elfExecutable, shellLink, pdfWithScript, eicarTestFile),
  test: fileOf(windowsExecutable, elfExecutable, shellLink, pdfWithScript, eicarTestFile, pngOfOnePixel),
};

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
const loader: StarterFile = {
  path: 'loader/scripts.yar',
  release: fileOf(environmentScript, encodedCommand(encoded, hidden), shortcutToScript),
  test: fileOf(environmentScript, encodedCommand(encoded, hidden, unattended)),
};

const officeDocument = String.raw`
rule office_openxml : document office
{
    meta:
        author = "Vitrine"
        description = "A document, sheet or presentation in Office Open XML"
        revision = 1
    strings:
        $types = "[Content_Types].xml"
        $word = "word/document.xml"
        $sheet = "xl/workbook.xml"
        $slides = "ppt/presentation.xml"
    condition:
        uint32be(0) == 0x504b0304 and $types in (0..64) and any of ($word, $sheet, $slides)
}`;

const officeMacro = String.raw`
rule office_vba_project : document office macro
{
    meta:
        author = "Vitrine"
        description = "A document that carries a VBA project, inside a ZIP or a compound file"
        revision = 2
    strings:
        $project = "vbaProject.bin"
        $storage = { 5f 00 56 00 42 00 41 00 5f 00 50 00 52 00 4f 00 4a 00 45 00 43 00 54 00 }
    condition:
        (uint32be(0) == 0x504b0304 and $project) or (uint32be(0) == 0xd0cf11e0 and $storage)
}`;

const macroAutorun = String.raw`
rule office_macro_autorun : office macro
{
    meta:
        author = "Vitrine"
        description = "The source of a macro that starts by itself and starts something else"
        revision = 1
    strings:
        $opens = /\b(AutoOpen|Auto_Open|Document_Open|Workbook_Open)\b/ nocase
        $shell = "WScript.Shell" nocase
        $run = /\bShell[ \t]*\(/ nocase
    condition:
        filesize < 4MB and $opens and any of ($shell, $run)
}`;

const remoteTemplate = String.raw`
rule office_remote_template : document office
{
    meta:
        author = "Vitrine"
        description = "The relations of a document that fetches its template from elsewhere"
        revision = 1
    strings:
        $type = "/relationships/attachedTemplate"
        $away = /Target="https?:\/\/[^"]{1,200}"[^>]{0,80}TargetMode="External"/
    condition:
        all of them
}`;

/** Test has one rule more. */
const office: StarterFile = {
  path: 'office/macros.yar',
  release: fileOf(officeDocument, officeMacro, macroAutorun),
  test: fileOf(officeDocument, officeMacro, macroAutorun, remoteTemplate),
};

/** Raised with every change of what is below: a lab stocked by an older release gets the packages it lacks. */
export const starterRelease = 2;

const files = [families, entropy, formats, loader, office];
const filesOf = (edition: 'release' | 'test'): NewPackage['files'] =>
  files.map((file) => ({ path: file.path, bytes: Buffer.from(file[edition]) }));

/** Oldest first. Their rules find some of the sample files. */
export const starterPackages: readonly NewPackage[] = [
  {
    version: '2026.11.10',
    group: 'Release',
    published: '2026-11-10T09:00:00.000Z',
    rules: 15,
    files: filesOf('release'),
  },
  { version: '2026.11.17', group: 'Test', published: '2026-11-17T09:00:00.000Z', rules: 16, files: filesOf('test') },
];

import { plainText } from './plain.js'

const greek = [
  ...'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi varsigma sigma'.split(' '),
  ...'upsilon phi chi psi omega Gamma Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega'.split(' '),
]

/** Pairs of words that stand one after the other. */
function inPairs(words: string): [string, string][] {
  const all = words.trim().split(/ +|\n */)
  return all.flatMap((word, place): [string, string][] => (place % 2 === 0 ? [[word, all[place + 1]!]] : []))
}

/** Characters and what LaTeX prints them by. */
const named = new Map([
  ...inPairs(String.raw`
    \ \textbackslash{} ~ \textasciitilde{} ^ \textasciicircum{} < \textless{} > \textgreater{} | \textbar{}
    " {\char34} ' {\char39} ’ {'} ” {''} - {-} – {--} — {---} − {$-$} † {$^{\dagger}$} ‡ {$^{\ddagger}$}
    × {$\times$} ± {$\pm$} ≥ {$\geq$} ≤ {$\leq$} ≈ {$\approx$} → {$\rightarrow$} ← {$\leftarrow$}
    τ {$\tau$} ρ {$\rho$} Δ {$\Delta$} √ {$\surd$} ° {$^{\circ}$} … \ldots{} · {$\cdot$} µ {$\mu$}
    ß {\ss} æ {\ae} Æ {\AE} œ {\oe} Œ {\OE} ø {\o} Ø {\O} ł {\l} Ł {\L} ı {\i}
  `),
  ...inPairs('` {\\char96} ‘ {`} “ {``}'),
  ['\u00a0', ' '] as [string, string],
  // Letters that only some font encodings have, and Cyrillic ones, are transliterated.
  ...Object.entries({ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ŋ: 'ng', Ŋ: 'Ng', ħ: 'h', Ħ: 'H', ŧ: 't' }),
  ...cased('абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћџђ', [
    ...'a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch'.split(' '),
    ...['', 'y', '', 'e', 'yu', 'ya', 'i', 'yi', 'ye', 'g', 'u', 'j', 'lj', 'nj', 'c', 'dz', 'dj'],
  ]),
  ...[...'αβγδεζηθικλμνξπςσυφχψωΓΘΛΞΠΣΥΦΨΩ'].map((letter, index): [string, string] => [
    letter,
    `{$\\${greek[index]!}$}`,
  ]),
  ...[...'οΑΒΕΖΗΙΚΜΝΟΡΤΧ'].map((letter, index): [string, string] => [letter, 'oABEZHIKMNOPTX'[index]!]),
])

/** Small and capital letters with their transliterations. */
function cased(letters: string, latin: readonly string[]): [string, string][] {
  return [...letters].flatMap((letter, index): [string, string][] => {
    const written = latin[index]!
    return [
      [letter, written],
      [letter.toUpperCase(), written.charAt(0).toUpperCase() + written.slice(1)],
    ]
  })
}

/** LaTeX's commands for combining marks, as every font encoding has them. */
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  inPairs(
    '\u0300 ` \u0301 \' \u0302 ^ \u0303 ~ \u0304 = \u0306 u \u0307 . \u0308 " \u030a r \u030b H \u030c v \u0323 d \u0327 c \u0331 b',
  ),
)

/**
 * Text that LaTeX prints literally, with any engine and font encoding. Latin letters keep the accents that LaTeX has a
 * command for, Greek ones are those of mathematics, Cyrillic ones are transliterated; others are printed by XeLaTeX and
 * LuaLaTeX, and as code points, `U+901A`, by pdfLaTeX.
 */
export function latexText(text: string): string {
  return plainText(text.normalize('NFC')).replace(/[^A-Za-z0-9 .,:;!?()[\]/=*+@]/gu, (character) => {
    if (/[#$%&_{}]/.test(character)) return `\\${character}`
    return named.get(character) ?? accented(character) ?? rawLetter(character)
  })
}

/** A letter with accents as commands; accents without a command are left out. */
function accented(character: string): string | undefined {
  const [letter = '', ...marks] = character.normalize('NFD')
  const base = /^[A-Za-z]$/.test(letter) ? letter : letter === character ? undefined : named.get(letter)
  if (base === undefined || marks.length === 0) return undefined
  return marks.reduce((inner, mark) => {
    const command = accents[mark]
    if (command === undefined || base.length !== 1) return inner
    const dotless = /^[ij]$/.test(inner) && !'dcb'.includes(command) ? `\\${inner}` : inner
    return `{\\${command}{${dotless}}}`
  }, base)
}

const rawMark = '{\\ifdefined\\Umathchar '

/** A letter for the engines that read it, which pdfLaTeX does not; these two alone define `\Umathchar`. */
function rawLetter(character: string): string {
  return `${rawMark}${character}\\else U+${codePoint(character)}\\fi}`
}

function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}

/** Whether pdfLaTeX prints a code point, which is wider than a letter. */
export const isCodePoint = (latex: string): boolean => latex.startsWith(rawMark)

/** A comment on letters that pdfLaTeX lacks, once in front of LaTeX that has them. */
export function withLetterNote(latex: string): string {
  const [, letter] = latex.split(rawMark)
  if (letter === undefined) return latex
  const note = `% Letters such as ${[...letter][0]!} need XeLaTeX or LuaLaTeX, with a font that has them; pdfLaTeX prints their code points.`
  return `${note}\n${latex}`
}

/**
 * {@link latexText} for running text: long words may be broken after characters that are neither letters nor digits,
 * and after each 12 of those.
 */
export function latexLine(text: string): string {
  return plainText(text)
    .split(' ')
    .map((word) =>
      word.length > longWord
        ? word
            .split(/(?<=[^\p{L}\p{M}\p{N}])/u)
            .flatMap((piece) => (piece.length > 2 * longWord ? (piece.match(/.{1,12}/gsu) ?? []) : [piece]))
            .map(latexText)
            .join('\\allowbreak{}')
        : latexText(word),
    )
    .join(' ')
}

const longWord = 12

/** A figure or its brackets, with a real minus. */
export function latexNumber(text: string): string {
  return text.replaceAll('-', '$-$').replaceAll('–', '--').replaceAll('<', '$<$')
}

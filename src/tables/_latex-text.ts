import { plainText } from './plain.js'

/** Characters and what LaTeX prints them by, with any engine and font encoding. */
const named = new Map(
  String.raw`
    \ \textbackslash{} ~ \textasciitilde{} ^ \textasciicircum{} < \textless{} > \textgreater{} | \textbar{}
    " {\char34} ' {\char39} ${'`'} {\char96} ‘ {${'`'}} “ {${'``'}} ’ {'} ” {''} - {-} – {--} — {---} − {$-$}
    † {$^{\dagger}$} ‡ {$^{\ddagger}$} × {$\times$} ± {$\pm$} ≥ {$\geq$} ≤ {$\leq$} ≈ {$\approx$}
    → {$\rightarrow$} ← {$\leftarrow$} ° {$^{\circ}$} … \ldots{} · {$\cdot$} µ {$\mu$} μ {$\mu$} α {$\alpha$}
    β {$\beta$} τ {$\tau$} ρ {$\rho$} σ {$\sigma$} Δ {$\Delta$}
    ß {\ss} æ {\ae} Æ {\AE} œ {\oe} Œ {\OE} ø {\o} Ø {\O} ł {\l} Ł {\L} ı {\i}
  `
    .trim()
    .split(/\s+/)
    .flatMap((word, place, words): [string, string][] => (place % 2 === 0 ? [[word, words[place + 1]!]] : [])),
)

/** LaTeX's commands for combining marks, as every font encoding has them. */
const accents: Readonly<Record<string, string>> = {
  ...{ '\u0300': '`', '\u0301': "'", '\u0302': '^', '\u0303': '~', '\u0304': '=', '\u0306': 'u', '\u0307': '.' },
  ...{ '\u0308': '"', '\u030a': 'r', '\u030b': 'H', '\u030c': 'v', '\u0323': 'd', '\u0327': 'c', '\u0331': 'b' },
}

/**
 * Text that LaTeX prints literally. Latin letters keep an accent that every font encoding has; other letters are
 * printed by XeLaTeX and LuaLaTeX, and as code points, `U+901A`, by pdfLaTeX.
 */
export function latexText(text: string): string {
  return plainText(text.normalize('NFC')).replace(/[^A-Za-z0-9 .,:;!?()[\]/=*+@]/gu, (character) => {
    if (/[#$%&_{}]/.test(character)) return `\\${character}`
    if (character === '\u00a0') return ' '
    return named.get(character) ?? accented(character) ?? letter(character)
  })
}

function accented(character: string): string | undefined {
  const [base = '', mark = '', ...others] = character.normalize('NFD')
  const command = accents[mark]
  return /^[A-Za-z]$/.test(base) && command !== undefined && others.length === 0 ? `{\\${command}{${base}}}` : undefined
}

/** A letter for the engines that read it, which alone define `\Umathchar`. */
function letter(character: string): string {
  const codePoint = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `{\\ifdefined\\Umathchar ${character}\\else U+${codePoint}\\fi}`
}

/** {@link latexText} for running text: words may be broken after signs, and long ones after each 12 letters. */
export function latexLine(text: string): string {
  return plainText(text)
    .replace(/(?<=\S{12})(?<=[^\s\p{L}\p{M}\p{N}])(?=\S)|(?<=[\p{L}\p{N}]{24})(?=\S)/gu, '\u200b')
    .split('\u200b')
    .map(latexText)
    .join('\\allowbreak{}')
}

/** A figure or its brackets, with a real minus. */
export function latexNumber(text: string): string {
  return text.replaceAll('-', '$-$').replaceAll('–', '--').replaceAll('<', '$<$')
}

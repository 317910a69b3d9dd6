import { plainText } from './plain.js'

const named = new Map([
  ['\\', '\\textbackslash{}'],
  ['~', '\\textasciitilde{}'],
  ['^', '\\textasciicircum{}'],
  ['<', '\\textless{}'],
  ['>', '\\textgreater{}'],
  ['|', '\\textbar{}'],
  ['"', '{\\char34}'],
  ['`', '{\\char96}'],
  ["'", '{\\char39}'],
  ['‘', '{`}'],
  ['’', "{'}"],
  ['“', '{``}'],
  ['”', "{''}"],
  ['-', '{-}'],
  ['–', '{--}'],
  ['—', '{---}'],
  ['−', '{$-$}'],
  ['†', '{$^{\\dagger}$}'],
  ['‡', '{$^{\\ddagger}$}'],
  ['×', '{$\\times$}'],
  ['±', '{$\\pm$}'],
  ['≥', '{$\\geq$}'],
  ['≤', '{$\\leq$}'],
  ['≈', '{$\\approx$}'],
  ['→', '{$\\rightarrow$}'],
  ['←', '{$\\leftarrow$}'],
  ['τ', '{$\\tau$}'],
  ['ρ', '{$\\rho$}'],
  ['Δ', '{$\\Delta$}'],
  ['√', '{$\\surd$}'],
  ['°', '{$^{\\circ}$}'],
  ['…', '\\ldots{}'],
  ['·', '{$\\cdot$}'],
  ['\u00a0', ' '],
])

/**
 * Text that LaTeX prints literally, with any engine and font encoding; letters beyond ASCII become their code points,
 * `U+00E9`.
 */
export function latexText(text: string): string {
  return plainText(text).replace(/[^A-Za-z0-9 .,:;!?()[\]/=*+@]/gu, (character) => {
    const name = named.get(character)
    if (name !== undefined) return name
    if (/[#$%&_{}]/.test(character)) return `\\${character}`
    return `{U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}}`
  })
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
            .split(/(?<=[^A-Za-z0-9])/u)
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

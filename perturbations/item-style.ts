import { createRandom, definePerturbation, renameItems } from '../src/define.js'

const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

/** How a name is written, from its words, what stands between them and its number, and that number. */
const styles: Readonly<Record<string, (words: string, gap: string, number: string) => string>> = {
  joined: (words, _, number) => words + number,
  hyphen: (words, _, number) => `${words.replaceAll(' ', '-')}-${number}`,
  underscore: (words, _, number) => `${words.replaceAll(' ', '_')}_${number}`,
  hash: (words, gap, number) => `${words}${gap}#${number}`,
  capitals: (words, gap, number) => `${words}${gap}${number}`.toUpperCase(),
  // A name of one word stays one.
  ordinal: (words, gap, number) => `${ordinals[Number(number)] ?? `${number}th`}${gap || '-'}${words}`,
}

/**
 * Another way to write the names of items that end with a number. Intensity is the share of the kinds of item (`sofa`),
 * drawn by the draw alone.
 */
export default definePerturbation({
  name: 'item-style',
  summary: 'names of items in another style: sofa 1 → sofa1, sofa-1, sofa_1, sofa #1, SOFA 1 or first sofa',
  source: "this testbed, after AgentRefine's perturbation 4",
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  options: { style: Object.keys(styles) },
  open({ names, briefing, intensity, draw, options }) {
    const style = options['style']!
    const kinds = new Set(
      [...names, ...briefing.examples.flatMap((example) => example.names)].map((name) => partsOf(name)?.words),
    )
    const sorted = [...kinds].filter((kind) => kind !== undefined).sort()
    const chosen = createRandom(`item-style/${String(draw)}`)
      .shuffle(sorted)
      .slice(0, Math.round(intensity * sorted.length))
    return renameItems((name) => {
      const parts = partsOf(name)
      const isChosen = parts !== undefined && (intensity === 1 || chosen.includes(parts.words))
      return isChosen ? styles[style]!(parts.words, parts.gap, parts.number) : name
    })
  },
})

/** `red ball 1` as `red ball`, a blank and `1`; `ball1` as `ball`, nothing and `1`. */
function partsOf(name: string): { readonly words: string; readonly gap: string; readonly number: string } | undefined {
  const [, words, gap, number] = /^(.*\p{L})( ?)(\d{1,4})$/u.exec(name) ?? []
  return number === undefined ? undefined : { words: words!, gap: gap!, number }
}

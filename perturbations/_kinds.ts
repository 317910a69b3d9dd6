import { type Lens, type Scene, type Text, createRandom, mapProse } from '../src/define.js'

/**
 * The last word of a name before its number, its kind: `ball` of `red ball 1`, `sofa` of `sofa 1`, `hub` of `the-hub1`.
 */
const kindBeforeNumber = /(?<kind>\p{L}+)(?= ?\d{1,4}$)/u
/** The last word of a name without a number, which is its kind where that is known to be one. */
const lastWord = /(?<kind>\p{L}+)$/u

/**
 * The kinds of item of an episode and its examples, in alphabetical order. A kind that is a word of a name without one,
 * as `pot` of `metal pot`, is left out: prose would rename it there too.
 * @param known kinds that names without a number may have: `key` of `brass key`
 */
export function kindsOf({ names, briefing }: Scene, known: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const all = [...new Set([...names, ...briefing.examples.flatMap((example) => example.names)])]
  const kindOf = (name: string): string | undefined => {
    const last = lastWord.exec(name)?.groups?.['kind']
    return last !== undefined && Object.hasOwn(known, last) ? last : kindBeforeNumber.exec(name)?.groups?.['kind']
  }
  const others = new Set(all.filter((name) => kindOf(name) === undefined).flatMap((name) => name.split(/[\s_-]+/)))
  return [...new Set(all.map(kindOf))]
    .filter((kind) => kind !== undefined && !others.has(kind))
    .sort() as readonly string[]
}

/** A lens that renames kinds of item, in names and in prose; without `text` where it renames none. */
export interface KindLens extends Lens {
  name(name: string): string
  text?(pieces: Text): Text
}

/**
 * A lens that gives a share of the kinds of item another name, as large as the intensity, in names and wherever prose
 * mentions a kind without a number. Which kinds is drawn by the family and the draw; those of a lower intensity are
 * among those of a higher one.
 */
export function renameKinds(
  family: string,
  scene: Scene,
  kinds: readonly string[],
  nameOf: (kind: string) => string,
): KindLens {
  const { intensity, draw } = scene
  const order = createRandom(`${family}/${String(draw)}`).shuffle(kinds)
  const changed = new Map(order.slice(0, Math.round(intensity * order.length)).map((kind) => [kind, nameOf(kind)]))
  if ([...changed].every(([kind, other]) => kind === other)) return { name: (name) => name }
  const renameWords = (prose: string): string =>
    prose.replace(/(?<![\p{L}\p{N}-])\p{L}+(?![\p{L}\p{N}-]| \d)/gu, (word) => {
      const other = changed.get(word.toLowerCase())
      if (other === undefined) return word
      return word === word.toLowerCase() ? other : other[0]!.toUpperCase() + other.slice(1)
    })
  return {
    name: (name) => name.replace(/\d$/.test(name) ? kindBeforeNumber : lastWord, (kind) => changed.get(kind) ?? kind),
    text: (pieces) => mapProse(pieces, renameWords),
  }
}

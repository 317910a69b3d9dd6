import type { World } from './environment.js'
import { ShaketableError } from './errors.js'
import type { ActionForm } from './form.js'
import { printForm, readForm } from './form.js'
import type { Spelling } from './spelling.js'
import type { Piece, Text, Wording } from './text.js'
import type { Reworded } from './wording.js'
import { frame, nearestForm, sampleAction } from './wording.js'

/** Both wordings of a lens in mode `alias`, in the order of an episode. */
export interface Aliases {
  /** The wording that is listed first wherever both are shown. */
  readonly first: Wording
  /** Both forms of each action, side by side; one where they are equal. */
  readonly forms: readonly ActionForm[]
  /** The episode's names, in the spelling that comes first. */
  readonly names: readonly string[]
  /** The names in both spellings. */
  readonly allNames: readonly string[]
  /** The given wordings in the episode's order; one where they are equal. */
  pair(original: string, alias: string): readonly string[]
  /** Prose that names each item in both spellings: `sofa 1 (sofa1)`. `found` is called for each. */
  prose(text: string, found?: () => void): string
  /** Reads an action in either wording, or in a mixture of both. `read`: see World.read. */
  toEnvironment(action: string, read?: World['read']): Chosen
}

/** An action in mode `alias`, in the wording of the world below. */
interface Chosen {
  readonly command: string
  /** The wording that it uses; absent where both are equal, or where it is no action that is known. */
  readonly wording?: Wording | 'mixed'
}

interface WordedForm {
  readonly template: string
  readonly from: string
  readonly form: Wording | undefined
}

/**
 * @param reworded the forms of the episode
 * @param names the episode's names in the spelling of the world below
 * @throws ShaketableError `perturbation` if an alias is the original wording of another action or item
 */
export function createAliases(
  first: Wording,
  reworded: readonly Reworded[],
  spelling: Spelling,
  names: readonly string[],
): Aliases {
  checkAliases(reworded, spelling, names)
  const pair = (original: string, alias: string): readonly string[] =>
    original === alias ? [original] : first === 'original' ? [original, alias] : [alias, original]
  const wordings = reworded.flatMap(({ from, to }): readonly WordedForm[] => {
    if (from === to) return [{ template: from, from, form: undefined }]
    return [
      { template: to, from, form: 'alias' },
      { template: from, from, form: 'original' },
    ]
  })
  const [allOld, allNew] = [reworded.map(({ from }) => from), reworded.map(({ to }) => to)]
  const nameWording = (name: string): Wording | undefined =>
    spelling.toAgent(name) !== name ? 'original' : spelling.toEnvironment(name) !== name ? 'alias' : undefined
  const chosen = (command: string, used: readonly (Wording | undefined)[]): Chosen => {
    const known = [...new Set(used)].filter((one) => one !== undefined)
    return { command, ...(known[0] && { wording: known.length > 1 ? 'mixed' : known[0] }) }
  }
  const fill = (from: string, form: Wording | undefined, filling: Readonly<Record<string, string>>): Chosen => {
    const used = [form]
    const values = Object.entries(filling).map(([slot, value]) => {
      if (spelling.isEitherName(value)) {
        used.push(nameWording(value))
        return [slot, spelling.toEnvironment(value)]
      }
      const { text, old, fresh } = spelling.textToEnvironment(value)
      used.push(old ? 'original' : undefined, fresh ? 'alias' : undefined)
      return [slot, text]
    })
    return chosen(printForm(from, Object.fromEntries(values) as Record<string, string>), used)
  }
  const exact = (text: string): Chosen | undefined => {
    for (const { template, from, form } of wordings) {
      const filling = readForm(template, text, spelling.isEitherName, spelling.longest)
      if (filling !== undefined) return fill(from, form, filling)
    }
    return undefined
  }
  const loose = (text: string, read: NonNullable<World['read']>): Chosen | undefined => {
    const readings = [read(text, allNew, spelling.names), read(text, allOld, names)]
    const found = readings.filter((one) => one !== undefined)
    // An environment that ignores all words but the verb may find an action in both wordings.
    const { template, filling } =
      found.find((one) => isWithin(printForm(one.template, one.filling), text)) ?? found.at(-1) ?? {}
    if (template === undefined || filling === undefined) return undefined
    const wording = wordings.find((one) => one.template === template)!
    return fill(wording.from, wording.form, filling)
  }
  return {
    first,
    forms: reworded.flatMap(({ form, from, to }) =>
      pair(from, to).map((template) => (template === from ? form : { ...form, template, origin: form.origin ?? from })),
    ),
    names: first === 'original' ? names : spelling.names,
    allNames: [...new Set([...names, ...spelling.names])],
    pair,
    prose: (text, found) =>
      spelling.textToAgent(text, found, (name, agent) => {
        const [one, other] = pair(name, agent)
        return `${one!} (${other!})`
      }),
    toEnvironment(action, read) {
      const { before, body, after } = frame(action)
      const framed = exact(body)
      if (framed !== undefined) return { ...framed, command: before + framed.command + after }
      const found = read && loose(action, read)
      if (found !== undefined) return found
      const near = nearestForm(wordings, body)
      const used: (Wording | undefined)[] = [near?.found.form]
      const respelled = (value: string): string => {
        const { text, old, fresh } = spelling.textToEnvironment(value)
        used.push(old ? 'original' : undefined, fresh ? 'alias' : undefined)
        return text
      }
      const command =
        near === undefined
          ? respelled(body)
          : printForm(
              near.found.from,
              Object.fromEntries(Object.entries(near.filling).map(([slot, value]) => [slot, respelled(value)])),
            )
      return chosen(before + command + after, used)
    },
  }
}

/**
 * The two wordings in a text, with ` or ` between them, and each in quotation marks if the one there stands in them.
 * @param around the pieces before and after
 */
export function sideBySide(
  wordings: readonly Exclude<Piece, string>[],
  around: readonly [before: Piece | undefined, after: Piece | undefined],
): Text {
  const [before, after] = around.map((piece) => (typeof piece === 'string' ? piece : ''))
  const mark = before!.slice(-1)
  const quote = mark !== '' && '\'"`'.includes(mark) && after!.startsWith(mark) ? mark : ''
  return wordings.flatMap((one, index): Text => (index === 0 ? [one] : [`${quote} or ${quote}`, one]))
}

/**
 * A text in which each run of words that was replaced stands beside the words in its place: `a sofa` and `a couch` give
 * `a sofa (couch)`.
 */
export function pairWords(original: string, reworded: string, show: (one: string, other: string) => string): string {
  if (original === reworded) return original
  const [before, after] = [original.split('\n'), reworded.split('\n')]
  if (before.length > 1 && before.length === after.length)
    return before.map((line, index) => pairWords(line, after[index]!, show)).join('\n')
  const [a, b] = [tokensOf(original), tokensOf(reworded)]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const inner = align(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [
    ...a.slice(0, start),
    ...inner.map(([one, other]) => (one === other ? one : show(one, other))),
    ...a.slice(a.length - end),
  ].join('')
}

function tokensOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}_'-]+|[^\p{L}\p{M}\p{N}_'-]/gu) ?? []
}

const maxAligned = 4e6

/** Runs of tokens that two lists share, and the runs between them, by their longest common subsequence. */
function align(a: readonly string[], b: readonly string[]): readonly (readonly [string, string])[] {
  if (a.length === 0 && b.length === 0) return []
  if (a.length * b.length > maxAligned) return [[a.join(''), b.join('')]]
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] && isWord(a[i]!)
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const runs: (readonly [string, string])[] = []
  let [i, j, fromI, fromJ] = [0, 0, 0, 0]
  const close = (): void => {
    if (i > fromI || j > fromJ) runs.push(...framed(a.slice(fromI, i), b.slice(fromJ, j)))
  }
  while (i < a.length && j < b.length) {
    if (a[i] === b[j] && isWord(a[i]!) && common[i * width + j] === common[(i + 1) * width + j + 1]! + 1) {
      close()
      runs.push([a[i]!, b[j]!])
      ;[fromI, fromJ] = [++i, ++j]
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) i++
    else j++
  }
  ;[i, j] = [a.length, b.length]
  close()
  return runs
}

/** Keeps what two runs share at both ends, such as blanks, out of what is shown twice. */
function framed(a: readonly string[], b: readonly string[]): readonly (readonly [string, string])[] {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const same = (from: number, to: number): (readonly [string, string])[] =>
    a.slice(from, to).map((one) => [one, one] as const)
  const [one, other] = [a.slice(start, a.length - end).join(''), b.slice(start, b.length - end).join('')]
  return [...same(0, start), [one, other], ...same(a.length - end, a.length)]
}

function isWord(token: string): boolean {
  return /[\p{L}\p{N}]/u.test(token)
}

/** Whether a text has all words of an action in their order. */
function isWithin(action: string, text: string): boolean {
  const wordsOf = (one: string): readonly string[] => one.toLowerCase().split(/[\s.,;!?]+/)
  const words = wordsOf(text)
  let at = 0
  return wordsOf(action).every((word) => (at = words.indexOf(word, at) + 1) > 0)
}

function checkAliases(reworded: readonly Reworded[], spelling: Spelling, names: readonly string[]): void {
  for (const one of reworded) {
    if (one.from === one.to) continue
    const { text, isItem } = sampleAction(one.to, names)
    const other = reworded.find((two) => two !== one && readForm(two.from, text, isItem) !== undefined)
    if (other === undefined) continue
    throw new ShaketableError(
      'perturbation',
      `In mode alias both wordings are accepted, but '${one.to}', another wording of '${one.from}', is that of '${other.from}' too: '${text}' would be both. Use mode replace.`,
    )
  }
  const name = names.find((given) => spelling.toAgent(given) !== given && names.includes(spelling.toAgent(given)))
  if (name === undefined) return
  throw new ShaketableError(
    'perturbation',
    `In mode alias both spellings are accepted, but '${spelling.toAgent(name)}', another spelling of '${name}', is the name of another item too. Use mode replace.`,
  )
}

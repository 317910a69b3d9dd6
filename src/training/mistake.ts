import type { MaybePromise } from '../core/after.js'
import type { World } from '../core/environment.js'
import { type Filling, printForm, readForm } from '../core/form.js'
import type { Random } from '../core/random.js'
import { isPerturbed } from '../core/perturb.js'
import { drawWording } from './vary-wording.js'

/**
 * Kinds of mistakes. `wording`: the action in another wording. `item`: an item that does not exist. `place`: a wrong
 * place or item. `skip`: the step after the next one. `order`: a later step.
 */
export const mistakeKinds = ['wording', 'item', 'place', 'skip', 'order'] as const
/** One of {@link mistakeKinds}. */
export type MistakeKind = (typeof mistakeKinds)[number]

/** The proportions in which kinds are drawn. If a kind is impossible, another is drawn from the rest. */
export const mistakeWeights = { wording: 0.3, item: 0.2, place: 0.2, skip: 0.15, order: 0.15 } as const

/** A plausible action that is not the right one. */
export interface Mistake {
  readonly kind: MistakeKind
  readonly action: string
  /** A thought about the environment's answer to it. */
  thought(understood: boolean): string
}

/** The right action, parsed. */
interface Moment {
  readonly world: World
  readonly action: string
  readonly template: string
  /** The same form in the environment's own wording. */
  readonly original: string
  readonly filling: Filling
}

/**
 * Share of the environment's own wording among wrong wordings in a reworded episode, since a tuned model has memorised
 * it.
 */
const originalShare = 0.5
const tries = 12

/** Draws a mistake to make instead of the right action; undefined if none is possible, as for an unknown form. */
export async function drawMistake(world: World, action: string, random: Random): Promise<Mistake | undefined> {
  const moment = readMoment(world, action)
  if (moment === undefined) return undefined
  const left = new Set(mistakeKinds)
  while (left.size > 0) {
    const kind = drawKind(left, random)
    left.delete(kind)
    const mistaken = await makers[kind](moment, random)
    if (mistaken === undefined) continue
    const thought = (understood: boolean): string =>
      understood ? 'That was not what I need. I go on with the task.' : thoughts[kind](moment)
    return { kind, action: mistaken, thought }
  }
  return undefined
}

function drawKind(left: ReadonlySet<MistakeKind>, random: Random): MistakeKind {
  const kinds = [...left]
  let at = random.next() * kinds.reduce((sum, kind) => sum + mistakeWeights[kind], 0)
  for (const kind of kinds) {
    at -= mistakeWeights[kind]
    if (at < 0) return kind
  }
  return kinds.at(-1)!
}

function readMoment(world: World, action: string): Moment | undefined {
  const names = new Set(world.names)
  const originals = (isPerturbed(world) ? world.original : world).briefing.forms
  for (const [index, { template }] of world.briefing.forms.entries()) {
    const filling = readForm(template, action, (text) => names.has(text))
    if (filling !== undefined) return { world, action, template, original: originals[index]!.template, filling }
  }
  return undefined
}

const makers: Readonly<Record<MistakeKind, (moment: Moment, random: Random) => MaybePromise<string | undefined>>> = {
  async wording({ world, action, template, original, filling }, random) {
    for (let attempt = 0; attempt < tries; attempt++) {
      const other = original !== template && random.next() < originalShare ? original : drawWording(random)(template)
      const phrased = printForm(other, filling)
      if (await isWrong(world, action, phrased)) return phrased
    }
    return undefined
  },
  async item({ world, template, filling, action }, random) {
    const slots = Object.keys(filling)
    if (slots.length === 0) return undefined
    for (let attempt = 0; attempt < tries; attempt++) {
      const slot = random.pick(slots)
      const name = filling[slot]!
      const kind = name.replace(/\d+$/, '')
      const other = kind === name ? random.pick(world.names) : `${kind}${String(1 + random.int(9))}`
      const phrased = printForm(template, { ...filling, [slot]: other })
      if (await isWrong(world, action, phrased)) return phrased
    }
    return undefined
  },
  async place({ world, template, filling, action }, random) {
    const names = new Set(world.names)
    const isName = (text: string): boolean => names.has(text)
    const admissible = (await world.admissible?.()) ?? []
    const possible = admissible.filter((other) => other !== action && readForm(template, other, isName) !== undefined)
    if (Object.keys(filling).length === 1) return possible.length === 0 ? undefined : random.pick(possible)
    const slot = Object.keys(filling).at(-1)
    if (slot === undefined) return undefined
    const stem = (name: string): string => name.replace(/\d+$/, '')
    const likes = world.briefing.forms.flatMap(({ template: form }) =>
      form === template || !form.includes(`{${slot}}`)
        ? []
        : admissible.flatMap((command) => readForm(form, command, isName)?.[slot] ?? []),
    )
    const others = [...new Set(likes)].filter((name) => stem(name) !== '' && name !== filling[slot])
    for (let attempt = 0; attempt < tries && others.length > 0; attempt++) {
      const phrased = printForm(template, { ...filling, [slot]: random.pick(others) })
      if (await isWrong(world, action, phrased)) return phrased
    }
    return undefined
  },
  skip: async ({ world, action }) => (await later(world, action, 1, 1))[0],
  async order(moment, random) {
    const all = await later(moment.world, moment.action, 2, 6)
    return all.length === 0 ? undefined : random.pick(all)
  },
}

/** Whether an action differs from the right one and the world does not understand it now. */
async function isWrong(world: World, action: string, phrased: string): Promise<boolean> {
  return phrased !== action && (await world.understands?.(phrased)) === false
}

/** The steps of the solution that come `from` to `to` steps later and are not possible yet. */
async function later(world: World, action: string, from: number, to: number): Promise<readonly string[]> {
  const plan = (await world.solve?.()) ?? []
  const commands: string[] = []
  for (const step of plan.slice(from, to + 1)) if (await isWrong(world, action, step)) commands.push(step)
  return commands
}

const thoughts: Readonly<Record<MistakeKind, (moment: Moment) => string>> = {
  wording: ({ template }) => `That is not how it is said here. The form is '${template}'.`,
  item: ({ action }) => `There is no such thing here. I name what I have seen: ${action}.`,
  place: ({ action }) => `That was the wrong one. I name the right one: ${action}.`,
  skip: ({ action }) => `I left out a step. First I have to do this: ${action}.`,
  order: ({ action }) => `It is too early for that. First I have to do this: ${action}.`,
}

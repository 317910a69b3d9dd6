import { idOf, join } from './hash.js'
import { type Vocabulary, wordsOf } from './vocabulary.js'
import type { Item, Scene } from './scene.js'

/** The first words of a goal that are features. */
const maxWords = 16

/** The state of a conversation as numbers, which every candidate is crossed with. */
export interface Situation {
  readonly scene: Scene
  readonly aim: Aim
  /** Items that the goal mentions, with the index of their kind in it. */
  readonly wanted: readonly { readonly item: Item; readonly goal: number }[]
  /** For the choice of a form. */
  readonly contexts: readonly number[]
  /** For the choice of a name. */
  readonly nameContexts: readonly number[]
}

/** Features of a candidate: those of its own words, and those read off the prompt or the history. */
export interface Description {
  readonly own: readonly number[]
  readonly read: readonly number[]
}

/** The most features of a description. */
const maxFeatures = 32

function describe(own: readonly string[], read: readonly string[]): Description {
  return { own: own.map(idOf), read: read.slice(0, maxFeatures - own.length).map(idOf) }
}

/** Computes the situation of a scene. */
export function look(scene: Scene, vocabulary: Vocabulary): Situation {
  const aim = readAim(scene, vocabulary)
  const wanted: { item: Item; goal: number }[] = []
  for (const item of scene.items.values()) {
    const goal = goalOf(item, aim)
    if (goal !== -1) wanted.push({ item, goal })
  }
  const states = aim.kinds.map((_, index) => {
    const items = wanted.flatMap(({ item, goal }) => (goal === index ? [item] : []))
    return `${String(index)} ${stateOf(items, scene)}`
  })
  const state = idOf(`state ${states.join(' | ')}`)
  const frame = idOf(`frame ${scene.frames[0] ?? ''}`)
  const goal = idOf(`aim ${aim.frame}`)
  const whole = join(goal, state)
  return {
    scene,
    aim,
    wanted,
    contexts: [
      ...[1, goal, whole, join(whole, frame), join(state, frame), join(frame, idOf(scene.frameBefore))],
      ...scene.frames.slice(0, 3).map((frame) => idOf(`says ${frame}`)),
      ...states.slice(0, 3).map((state) => join(idOf(`of ${state}`), frame)),
      ...aim.words,
    ],
    nameContexts: [1, goal, whole, frame],
  }
}

/**
 * How near an item is: 0 unknown, 1 met elsewhere, 2 at the item named last, 3 in the last observation and named
 * before, 4 in the last observation and new.
 */
function nearness(item: Item, { step, lastNames }: Scene): number {
  if (item.seen === step - 1) return item.said === 0 ? 4 : 3
  if (item.place !== undefined && lastNames.includes(item.place)) return 2
  return item.isMet ? 1 : 0
}

/**
 * State of the items of one kind: how near the nearest is, how the last observation about one began, and for how many
 * it began so.
 */
function stateOf(items: readonly Item[], scene: Scene): string {
  let near = 0
  let latest: Item | undefined
  for (const item of items) {
    near = Math.max(near, nearness(item, scene))
    if (item.frame !== '' && (latest === undefined || item.saidAt > latest.saidAt)) latest = item
  }
  const count = items.filter(({ frame }) => latest !== undefined && frame === latest.frame).length
  return `${String(near)} ${latest?.frame ?? ''} ${String(Math.min(count, 2))}`
}

/**
 * Features of a form of action: the form itself if it is known from training, its description in the prompt, and its
 * results so far.
 */
export function describeForm(form: string, isKnown: boolean, { scene }: Situation): Description {
  const shown = scene.shown.get(form)
  const source = `source ${String(isKnown)} ${String(shown?.listed === true)} ${String(shown?.exampled === true)}`
  return describe(isKnown ? [`form ${form}`, source] : [source], [
    ...(shown === undefined
      ? []
      : [
          `meaning ${shown.words.join(' ')}`,
          ...shown.words.map((word) => `word ${word}`),
          ...shown.answers.map((answer) => `answer ${answer}`),
          `slots ${shown.slots.join(' ')}`,
        ]),
    `here ${scene.usage.get(form) ?? '-'}`,
    ...(form === scene.lastForm ? [`last ${scene.frames[0] ?? ''}`] : []),
  ])
}

/** Features of a slot: its form and index, and its description in the prompt. */
export function describeSlot(form: string, slot: number, isKnown: boolean, { scene }: Situation): Description {
  const shown = scene.shown.get(form)
  const label = shown?.slots[slot]
  const told = label === undefined ? [] : [`label ${label}`, `meaning ${shown!.words.join(' ')} ${label}`]
  const answers = label === undefined ? [] : shown!.answers.map((answer) => `answer ${answer} ${label}`)
  return describe(isKnown ? [`slot ${form} ${String(slot)}`] : [], [`place ${String(slot)}`, ...told, ...answers])
}

/** Features of a name for a slot, each crossed with the situation; to be crossed with the slot. */
export function describeName(
  item: Item,
  chosen: readonly Item[],
  { scene, aim, wanted, nameContexts }: Situation,
): readonly number[] {
  const goal = goalOf(item, aim)
  const near = nearness(item, scene)
  const mentions = Math.min(item.said, 3)
  let shows = 0
  for (const other of wanted) if (other.item.place === item) shows |= (other.item.said === 0 ? 1 : 16) << other.goal
  const relation = relationOf(item, chosen)
  const base = [
    item.kindId,
    join(101, goal),
    join(102, near * 2 + (item.isFirst ? 1 : 0)),
    join(103, mentions),
    item.frameId,
    join(104, shows * 4 + mentions),
    join(105, scene.lastNames.indexOf(item)),
    join(106, chosen.length * 8 + relation),
    join(107, ((goal + 1) * 8 + near) * 4 + mentions),
    join(108, near * 4 + mentions),
    join(109, (goal + 1) * 8 + relation),
  ]
  const features: number[] = []
  for (const feature of base) for (const context of nameContexts) features.push(join(feature, context))
  for (const word of aim.words) features.push(join(item.kindId, word))
  return features
}

function goalOf({ kind, head }: Item, { kinds }: Aim): number {
  return kinds.findIndex((kindName) => kindName === kind || kindName === head)
}

/**
 * Relation of a name to those already chosen: 1 it is one of them, 2 one was seen at it, 3 it was seen at one, 0 none.
 */
function relationOf(item: Item, chosen: readonly Item[]): number {
  if (chosen.includes(item)) return 1
  if (chosen.some((chosenItem) => chosenItem.place === item)) return 2
  return chosen.some((chosenItem) => item.place === chosenItem) ? 3 : 0
}

/** Features of a whole command: whether it was said before, and the observation after it. */
export function describeCommand(command: string, { scene }: Situation): Description {
  const answer = scene.commands.get(command)?.frame
  const times = answer === undefined ? [] : command === scene.lastCommand ? ['again', 'at once'] : ['again']
  return describe(
    [],
    times.flatMap((when) => [when, `${when} ${answer!}`]),
  )
}

/** The kinds of item in a goal, in order, and the goal without them. */
interface Aim {
  readonly kinds: readonly string[]
  readonly frame: string
  /** Ids of its first words. */
  readonly words: readonly number[]
}

const maxKindWords = 3
const maxAims = 4

/**
 * Finds the kinds of item in a goal: the longest runs of words that are kinds known from training or seen in this
 * conversation.
 */
function readAim(scene: Scene, vocabulary: Vocabulary): Aim {
  const here = new Set([...scene.items.values()].flatMap(({ kind, head }) => [kind, head]))
  const words = wordsOf(scene.goal.toLowerCase())
  const kinds: string[] = []
  const frame: string[] = []
  for (let at = 0; at < words.length;) {
    let length = Math.min(maxKindWords, words.length - at)
    for (; length > 0; length--) {
      const kind = words.slice(at, at + length).join(' ')
      if (!here.has(kind) && !vocabulary.kinds.has(kind)) continue
      if (!kinds.includes(kind) && kinds.length < maxAims) kinds.push(kind)
      frame.push('{}')
      break
    }
    if (length === 0) frame.push(words[at]!)
    at += Math.max(1, length)
  }
  return { kinds, frame: frame.join(' '), words: words.slice(0, maxWords).map((word) => idOf(`goal ${word}`)) }
}

import { idOf, join } from './hash.js'
import type { Lore } from './lore.js'
import type { Aim, Item, Scene } from './scene.js'
import { readAim } from './scene.js'

/** Where a conversation stands, as numbers: what every candidate is crossed with. */
export interface Situation {
  readonly scene: Scene
  readonly lore: Lore
  readonly aim: Aim
  /** For the choice of a form. */
  readonly contexts: Int32Array
  /** For the choice of a name. */
  readonly nameContexts: Int32Array
}

/** A list of numbers that is filled again and again without being made anew. */
export interface Numbers {
  readonly values: Int32Array
  length: number
}

/** What describes a candidate. Those in front are of its own words; from `readFrom` on they are read off the prompt or the history. */
export interface Description extends Numbers {
  readFrom: number
}

/** Looks at a scene. */
export function look(scene: Scene, lore: Lore): Situation {
  const aim = readAim(scene, lore)
  const states = aim.kinds.map((kind, index) => `${String(index)} ${stateOf(scene, kind)}`)
  const state = idOf(`state ${states.join(' | ')}`)
  const frame = idOf(`frame ${scene.frames[0] ?? ''}`)
  const goal = idOf(`aim ${aim.frame}`)
  const whole = join(goal, state)
  return {
    scene,
    lore,
    aim,
    contexts: Int32Array.from([
      1,
      goal,
      whole,
      join(whole, frame),
      join(state, frame),
      join(frame, idOf(scene.frameBefore)),
      ...scene.frames.slice(0, 3).map((one) => idOf(`says ${one}`)),
      ...states.slice(0, 3).map((one) => join(idOf(`of ${one}`), frame)),
      ...aim.words,
    ]),
    nameContexts: Int32Array.from([1, goal, whole, frame]),
  }
}

/** What became of the items of one kind: whether one is in view, said before or not, and how the last answer about one began. */
function stateOf(scene: Scene, kind: string): string {
  let inView = 0
  let latest: Item | undefined
  let count = 0
  for (const item of scene.items.values()) {
    if (item.kind !== kind && item.head !== kind) continue
    if (item.seen === scene.step - 1) inView = Math.max(inView, item.said === 0 ? 2 : 1)
    if (item.frame !== '' && (latest === undefined || item.saidAt > latest.saidAt)) latest = item
  }
  if (latest !== undefined) {
    for (const item of scene.items.values()) {
      if ((item.kind === kind || item.head === kind) && item.frame === latest.frame) count++
    }
  }
  return `${String(inView)} ${latest?.frame ?? ''} ${String(Math.min(count, 2))}`
}

/** What tells forms of action apart: the form itself where it is known from training, what the prompt says of it, and how it fared so far. */
export function describeForm(form: string, isKnown: boolean, { scene }: Situation, into: Description): void {
  const shown = scene.shown.get(form)
  into.length = 0
  const add = (text: string): void => {
    if (into.length < into.values.length) into.values[into.length++] = idOf(text)
  }
  if (isKnown) add(`form ${form}`)
  add(`source ${String(isKnown)} ${String(shown?.listed === true)} ${String(shown?.exampled === true)}`)
  into.readFrom = into.length
  if (shown !== undefined) {
    add(`meaning ${shown.words.join(' ')}`)
    for (const word of shown.words) add(`word ${word}`)
    for (const answer of shown.answers) add(`answer ${answer}`)
    add(`slots ${shown.slots.join(' ')}`)
  }
  add(`here ${scene.usage.get(form)?.frame ?? '-'}`)
  if (form === scene.lastForm) add(`last ${scene.frames[0] ?? ''}`)
}

/** What tells slots apart: the form and its place there, and what the prompt says of it. */
export function describeSlot(
  form: string,
  slot: number,
  isKnown: boolean,
  { scene }: Situation,
  into: Description,
): void {
  const shown = scene.shown.get(form)
  const label = shown?.slots[slot]
  into.length = 0
  const add = (text: string): void => {
    if (into.length < into.values.length) into.values[into.length++] = idOf(text)
  }
  if (isKnown) add(`slot ${form} ${String(slot)}`)
  into.readFrom = into.length
  add(`place ${String(slot)}`)
  if (label === undefined) return
  add(`label ${label}`)
  add(`meaning ${shown!.words.join(' ')} ${label}`)
  for (const answer of shown!.answers) add(`answer ${answer} ${label}`)
}

/** Features of a name for a slot, each crossed with where the conversation stands; to be crossed with the slot. */
export function describeName(
  item: Item,
  chosen: readonly Item[],
  { scene, aim, nameContexts }: Situation,
  base: Int32Array,
  into: Numbers,
): void {
  const goal = goalOf(item, aim)
  const inView = item.seen === scene.step - 1 ? 1 : 0
  const said = Math.min(item.said, 3)
  let shows = 0
  for (const other of item.shows) {
    const index = goalOf(other, aim)
    if (index !== -1) shows |= (other.said === 0 ? 1 : 16) << index
  }
  const relation = relationOf(item, chosen)
  const kind = item.kindId
  let count = 0
  base[count++] = kind
  base[count++] = join(101, goal)
  base[count++] = join(102, inView + (inView === 1 && item.isFirst ? 2 : 0))
  base[count++] = join(103, said)
  base[count++] = item.frameId
  base[count++] = join(104, shows * 4 + said)
  base[count++] = join(105, scene.lastNames.indexOf(item))
  base[count++] = join(106, chosen.length * 8 + relation)
  base[count++] = join(107, ((goal + 1) * 2 + inView) * 4 + said)
  base[count++] = join(108, (item.isMet ? 8 : 0) + said * 2 + inView)
  base[count++] = join(109, (goal + 1) * 8 + relation)
  into.length = 0
  for (let at = 0; at < count; at++) {
    for (const context of nameContexts) into.values[into.length++] = join(base[at]!, context)
  }
  for (const word of aim.words) into.values[into.length++] = join(kind, word)
}

function goalOf({ kind, head }: Item, { kinds }: Aim): number {
  return kinds.findIndex((one) => one === kind || one === head)
}

/** How a name stands to those that are chosen already: it is one of them, they were seen at it, it was seen at one, or none of these. */
function relationOf(item: Item, chosen: readonly Item[]): number {
  if (chosen.includes(item)) return 1
  if (chosen.some((one) => one.place === item)) return 2
  return chosen.some((one) => item.place === one) ? 3 : 0
}

/** What tells whole commands apart: whether it was said before, and how it was answered. */
export function describeCommand(command: string, { scene }: Situation, into: Description): void {
  const answer = scene.commands.get(command)?.frame
  into.length = 0
  into.readFrom = 0
  if (answer === undefined) return
  into.values[into.length++] = idOf('again')
  into.values[into.length++] = idOf(`again ${answer}`)
  if (command === scene.lastCommand) {
    into.values[into.length++] = idOf('at once')
    into.values[into.length++] = idOf(`at once ${answer}`)
  }
}

/** Room for the description of a candidate. */
export function createDescription(): Description {
  return { values: new Int32Array(32), length: 0, readFrom: 0 }
}

/** The most features of a name: 11 in 4 situations, and its kind with each word of the goal. */
export const nameRoom = 11 * 4 + 16

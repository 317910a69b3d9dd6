import { idOf, join } from './hash.js'
import type { Lore } from './lore.js'
import type { Aim, Item, Scene } from './scene.js'
import { readAim } from './scene.js'
import { wordsOf } from './shown.js'

/** Where a conversation stands, as numbers: what every candidate is crossed with. */
export interface Situation {
  readonly scene: Scene
  readonly aim: Aim
  /** For the choice of a form. */
  readonly contexts: Int32Array
  /** For the choice of a name. */
  readonly nameContexts: Int32Array
  readonly kindContexts: Int32Array
}

/** A list of numbers that is filled again and again without being made anew. */
export interface Numbers {
  readonly values: Int32Array
  length: number
}

/** Looks at a scene. */
export function look(scene: Scene, lore: Lore): Situation {
  const aim = readAim(scene, lore)
  const states = aim.kinds.map((kind, index) => `${String(index)} ${stateOf(scene, kind)}`)
  const state = states.join(' | ')
  const frame = scene.frames[0] ?? ''
  const goal = idOf(`aim ${aim.frame}`)
  const whole = join(goal, idOf(`state ${state}`))
  const contexts = [
    1,
    goal,
    whole,
    join(whole, idOf(frame)),
    idOf(`state ${state}`),
    join(idOf(`state ${state}`), idOf(frame)),
    idOf(`form ${scene.lastForm}`),
    join(idOf(`frame ${frame}`), idOf(scene.frameBefore)),
    ...scene.frames.map((one) => idOf(`says ${one}`)),
    ...states.map((one) => idOf(`of ${one}`)),
    ...states.map((one) => join(idOf(`of ${one}`), idOf(frame))),
    ...aim.words,
  ]
  const nameContexts = [1, goal, whole, idOf(`state ${state}`), idOf(`says ${frame}`)]
  return {
    scene,
    aim,
    contexts: Int32Array.from(contexts),
    nameContexts: Int32Array.from(nameContexts),
    kindContexts: aim.words,
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

/** What tells forms of action apart: its words, what the prompt says of it, and how it fared so far. */
export function describeForm(form: string, { scene }: Situation, rows: number, into: Numbers): void {
  const shown = scene.shown.get(form)
  const usage = scene.usage.get(form)
  into.length = 0
  const add = (text: string): void => {
    if (into.length < into.values.length) into.values[into.length++] = idOf(text)
  }
  add(`id ${form}`)
  for (const word of literalWords(form)) add(`w ${word}`)
  for (const word of shown?.words ?? []) add(`d ${word}`)
  for (const answer of shown?.answers ?? []) add(`a ${answer}`)
  const memory = rows === 0 ? 'new' : rows < 4 ? 'rare' : 'known'
  add(`memory ${memory}`)
  add(`prompt ${String(shown?.listed === true)} ${String(shown?.exampled === true)}`)
  add(`source ${memory} ${String(shown !== undefined)}`)
  add(`here ${usage?.frame ?? '-'}`)
  if (form === scene.lastForm) add(`last ${scene.frames[0] ?? ''}`)
}

const literals = new Map<string, readonly string[]>()

function literalWords(form: string): readonly string[] {
  let words = literals.get(form)
  if (words === undefined) {
    if (literals.size > 10_000) literals.clear()
    words = wordsOf(form).slice(0, 6)
    literals.set(form, words)
  }
  return words
}

/** What tells slots apart: the form and its place there, the word before it, and what the prompt calls it. */
export function describeSlot(form: string, slot: number, { scene }: Situation, into: Numbers): void {
  const shown = scene.shown.get(form)
  const label = shown?.slots[slot]
  into.length = 0
  const add = (text: string): void => {
    if (into.length < into.values.length) into.values[into.length++] = idOf(text)
  }
  add('any')
  add(`id ${form} ${String(slot)}`)
  const before = form.split('{}')[slot]?.trim() ?? ''
  add(`pre ${before.slice(before.lastIndexOf(' ') + 1)}`)
  if (label !== undefined) {
    add(`label ${label}`)
    for (const word of shown!.words.slice(0, 5)) add(`d ${word} ${label}`)
    for (const answer of shown!.answers) add(`a ${answer} ${label}`)
  }
}

const mostBase = 16

/** Features of a name for a slot, each crossed with where the conversation stands; to be crossed with the slot. */
export function describeName(
  item: Item,
  form: string,
  chosen: readonly Item[],
  { scene, aim, nameContexts, kindContexts }: Situation,
  base: Int32Array,
  into: Numbers,
): void {
  const goal = aim.kinds.findIndex((kind) => kind === item.kind || kind === item.head)
  const inView = item.seen === scene.step - 1
  const said = Math.min(item.said, 3)
  let shows = 0
  for (const other of item.shows) {
    const index = aim.kinds.findIndex((kind) => kind === other.kind || kind === other.head)
    if (index !== -1) shows |= (other.said === 0 ? 1 : 16) << index
  }
  const last = scene.lastNames.indexOf(item)
  const relation = chosen.includes(item)
    ? 1
    : chosen.some((one) => one.place === item)
      ? 2
      : chosen.some((one) => item.place === one)
        ? 3
        : 0
  let count = 0
  const kind = idOf(`kind ${item.kind}`)
  base[count++] = kind
  base[count++] = join(idOf('goal'), goal)
  base[count++] = join(idOf('view'), (inView ? 1 : 0) + (inView && item.isFirst ? 2 : 0))
  base[count++] = join(idOf('said'), said)
  base[count++] = idOf(`frame ${item.frame}`)
  base[count++] = join(idOf('shows'), shows * 4 + said)
  base[count++] = join(idOf('last'), last)
  base[count++] = join(idOf('relation'), chosen.length * 8 + relation)
  base[count++] = join(idOf('goal view said'), ((goal + 1) * 2 + (inView ? 1 : 0)) * 4 + said)
  base[count++] = join(idOf('met said view'), (item.isMet ? 8 : 0) + said * 2 + (inView ? 1 : 0))
  base[count++] = join(idOf('goal relation'), (goal + 1) * 8 + relation)
  base[count++] = idOf(`pair ${chosen.length === 0 ? (scene.commands.get(form.replace('{}', item.name)) ?? '-') : ''}`)
  into.length = 0
  for (let at = 0; at < count; at++) {
    for (const context of nameContexts) into.values[into.length++] = join(base[at]!, context)
  }
  for (const context of kindContexts) into.values[into.length++] = join(kind, context)
}

/** Room for the numbers of any one description. */
export function createNumbers(size: number): Numbers {
  return { values: new Int32Array(size), length: 0 }
}

/** Room for the features of a name. */
export const nameRoom = mostBase * 5 + 16

import type { Message, Model } from '../../../src/core/model.js'
import { createRandom } from '../../../src/core/random.js'
import type { TrainingRow, TrainingTurn } from '../../../src/training/data-filter.js'

/** The words of a depot's two actions. */
export interface Wording {
  readonly visit: string
  readonly grab: string
}

export const plain: Wording = { visit: 'visit {place}', grab: 'grab {thing} at {place}' }

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'po', 'ra', 'si', 'tu', 've']
const links = ['at', 'on', 'by', 'near']

/** A randomly drawn wording of invented words. */
export function drawWording(seed: string): Wording {
  const random = createRandom(seed)
  const word = (): string => `${random.pick(syllables)}${random.pick(syllables)}${random.pick(syllables)}`
  const [verb, link] = [word(), random.pick(links)]
  return {
    visit: `${word()} {place}`,
    grab: random.next() < 0.5 ? `${verb} {thing} ${link} {place}` : `${link} {place} ${verb} {thing}`,
  }
}

/** A depot: the item in each place, and the wanted item. */
interface Depot {
  readonly places: ReadonlyMap<string, readonly string[]>
  readonly wanted: string
}

const kinds = ['apple', 'brick', 'candle', 'drum', 'easel', 'feather']

/** A randomly drawn depot. */
export function drawDepot(seed: string): Depot {
  const random = createRandom(`depot ${seed}`)
  const names = random.shuffle(['crate 1', 'crate 2', 'shelf 1', 'shelf 2', 'bin 1'])
  const things = random.shuffle(kinds)
  const places = new Map(names.map((name, at) => [name, [`${things[at]!} ${String(1 + random.int(3))}`]]))
  return { places, wanted: things[random.int(names.length)]! }
}

const fill = (form: string, names: Readonly<Record<string, string>>): string =>
  form.replace(/\{(\w+)\}/g, (_, slot: string) => names[slot]!)

/** Everything above the first observation, and that observation. */
export function openingOf({ places, wanted }: Depot, { visit, grab }: Wording): string {
  const example = { place: 'rack 1', thing: 'globe 1' }
  return [
    'Find what is wanted. You can do this:',
    `- '${visit}': walk to a place`,
    `- '${grab}': pick up a thing`,
    "- 'wait': let time pass",
    'Here are examples:',
    `Action: ${fill(visit, example)}`,
    'Observation: In the rack 1 lies a globe 1.',
    `Action: ${fill(grab, example)}`,
    'Observation: You hold the globe 1.',
    '',
    `You should perform actions to accomplish the goal: get the ${wanted}.`,
    `Observation: Around you are a ${[...places.keys()].join(', a ')}.`,
  ].join('\n')
}

/** The answer of the depot to an action; `done` if it was the right one. */
export function answer({ places, wanted }: Depot, { visit, grab }: Wording, action: string): string {
  for (const [place, things] of places) {
    if (action === fill(visit, { place })) return `In the ${place} lies a ${things.join(', a ')}.`
    for (const thing of things) {
      if (action === fill(grab, { place, thing })) return thing.startsWith(wanted) ? 'done' : `You hold the ${thing}.`
    }
  }
  return 'What?'
}

/**
 * A row that visits every place until the wanted item is found; with `mistake` the grab is in wrong words
 * first.
 */
export function teach(depot: Depot, wording: Wording, mistake = false): TrainingRow {
  const turns: TrainingTurn[] = [{ role: 'user', text: openingOf(depot, wording) }]
  const say = (action: string, loss = true): void => {
    turns.push({ role: 'assistant', text: `Action: ${action}`, loss })
    turns.push({ role: 'user', text: `Observation: ${answer(depot, wording, action)}` })
  }
  for (const [place, things] of depot.places) {
    say(fill(wording.visit, { place }))
    const thing = things.find((one) => one.startsWith(depot.wanted))
    if (thing === undefined) continue
    if (mistake) say(`lift ${thing} off ${place}`, false)
    say(fill(wording.grab, { place, thing }))
    break
  }
  return { id: 'depot_1', turns }
}

/** Plays a depot as a chat. @returns the actions; the last one was right if it succeeded */
export async function playDepot(
  model: Model,
  depot: Depot,
  wording: Wording,
  sampling = { temperature: 0, seed: 0 },
): Promise<{ readonly actions: readonly string[]; readonly succeeded: boolean }> {
  const messages: Message[] = [{ role: 'user', content: openingOf(depot, wording) }]
  const actions: string[] = []
  while (actions.length < 10) {
    const { text } = await model.complete(messages, { ...sampling, maxTokens: 100, stop: [] })
    const action = text.replace('Action: ', '')
    actions.push(action)
    const said = answer(depot, wording, action)
    if (said === 'done') return { actions, succeeded: true }
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: `Observation: ${said}` })
  }
  return { actions, succeeded: false }
}

/** The share of depots, drawn separately from the training ones, that a model solves. */
export async function solveShare(model: Model, wording: Wording, count = 40): Promise<number> {
  let solved = 0
  for (let at = 0; at < count; at++) {
    const { succeeded } = await playDepot(model, drawDepot(`unseen ${String(at)}`), wording)
    if (succeeded) solved++
  }
  return solved / count
}

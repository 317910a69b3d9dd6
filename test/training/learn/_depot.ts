import type { Message, Model, TrainingRow, TrainingTurn } from '../../../src/index.js'
import { createRandom, printForm } from '../../../src/index.js'

type Wording = Readonly<{ visit: string; grab: string }>

export const plain: Wording = { visit: 'visit {place}', grab: 'grab {thing} at {place}' }

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'po', 'ra', 'si', 'tu', 've']

export function drawWording(seed: string): Wording {
  const random = createRandom(seed)
  const word = (): string => `${random.pick(syllables)}${random.pick(syllables)}${random.pick(syllables)}`
  const [verb, link] = [word(), random.pick(['at', 'on', 'by', 'near'])]
  const visit = `${word()} {place}`
  return { visit, grab: random.next() < 0.5 ? `${verb} {thing} ${link} {place}` : `${link} {place} ${verb} {thing}` }
}

/** A depot: the item in each place, and the kind that is wanted. */
type Depot = Readonly<{ places: ReadonlyMap<string, string>; wanted: string }>

export function drawDepot(seed: string): Depot {
  const random = createRandom(`depot ${seed}`)
  const names = random.shuffle(['crate 1', 'crate 2', 'shelf 1', 'shelf 2', 'bin 1'])
  const things = random.shuffle(['apple', 'brick', 'candle', 'drum', 'easel', 'feather'])
  const places = new Map(names.map((name, at) => [name, `${things[at]!} ${String(1 + random.int(3))}`]))
  return { places, wanted: things[random.int(names.length)]! }
}

/** Everything above the first observation, and that observation. */
function openingOf({ places, wanted }: Depot, { visit, grab }: Wording): string {
  const example = { place: 'rack 1', thing: 'globe 1' }
  return [
    'Find what is wanted. You can do this:',
    `- '${visit}': walk to a place`,
    `- '${grab}': pick up a thing`,
    "- 'wait': let time pass",
    'Here are examples:',
    `Action: ${printForm(visit, example)}`,
    'Observation: In the rack 1 lies a globe 1.',
    `Action: ${printForm(grab, example)}`,
    'Observation: You hold the globe 1.',
    '',
    `You should perform actions to accomplish the goal: get the ${wanted}.`,
    `Observation: Around you are a ${[...places.keys()].join(', a ')}.`,
  ].join('\n')
}

/** The answer of the depot to an action; `done` if it was the right one. */
function answer({ places, wanted }: Depot, { visit, grab }: Wording, action: string): string {
  for (const [place, thing] of places) {
    if (action === printForm(visit, { place })) return `In the ${place} lies a ${thing}.`
    if (action === printForm(grab, { place, thing }))
      return thing.startsWith(wanted) ? 'done' : `You hold the ${thing}.`
  }
  return 'What?'
}

/** A row that visits every place until the wanted item is found; with `mistake` the grab is in wrong words first. */
export function teach(depot: Depot, wording: Wording, mistake = false): TrainingRow {
  const turns: TrainingTurn[] = [{ role: 'user', text: openingOf(depot, wording) }]
  const say = (action: string, loss = true): void => {
    turns.push({ role: 'assistant', text: `Action: ${action}`, loss })
    turns.push({ role: 'user', text: `Observation: ${answer(depot, wording, action)}` })
  }
  for (const [place, thing] of depot.places) {
    say(printForm(wording.visit, { place }))
    if (!thing.startsWith(depot.wanted)) continue
    if (mistake) say(`lift ${thing} off ${place}`, false)
    say(printForm(wording.grab, { place, thing }))
    break
  }
  return { id: 'depot_1', turns }
}

/** Whether a model finds what is wanted in ten actions. */
async function solves(model: Model, depot: Depot, wording: Wording): Promise<boolean> {
  const messages: Message[] = [{ role: 'user', content: openingOf(depot, wording) }]
  for (let step = 0; step < 10; step++) {
    const { text } = await model.complete(messages, { temperature: 0, seed: 0, maxTokens: 100, stop: [] })
    const said = answer(depot, wording, text.replace('Action: ', ''))
    if (said === 'done') return true
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: `Observation: ${said}` })
  }
  return false
}

/** The share of forty depots, drawn separately from the training ones, that a model solves. */
export async function solveShare(model: Model, wording: Wording): Promise<number> {
  const seeds = Array.from({ length: 40 }, (_, at) => `unseen ${String(at)}`)
  const solved = await Promise.all(seeds.map((seed) => solves(model, drawDepot(seed), wording)))
  return solved.filter(Boolean).length / solved.length
}

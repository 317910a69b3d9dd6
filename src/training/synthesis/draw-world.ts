import { slotNames } from '../../core/form.js'
import type { Random } from '../../core/random.js'
import { type Setting, type Work, type Wording, words } from './settings.js'

/** A work in a world: its things are those that are there. */
export interface WorldWork extends Work {
  /** The value that the goal or another work wants, where the work has a choice. */
  readonly wanted?: string
  /** The state that its tool must have. */
  readonly needs?: string
}

/** Everything in a world at its start. */
export type World = ReturnType<typeof drawWorld>

/** Shares of boxes that are closed, and of things that have a state which a work removes. */
const closedShare = 0.7
const stateShare = 0.75
const lockedShare = 0.35

/** Draws a world without its goal. */
export function drawWorld(setting: Setting, random: Random) {
  const sample = (list: readonly string[], count: number): readonly string[] => random.shuffle(list).slice(0, count)
  const works = drawWorks(setting, random).map((work) => ({
    ...work,
    things: work.kind === 'ready' ? work.things : sample(work.things, work.kind === 'join' ? 2 : 3),
    bases: sample(work.bases, 2),
  }))
  const places = sample(setting.places, 4 + random.int(2))
  const surfaces = sample(setting.surfaces, 4)
  const boxes = sample(setting.boxes, 3)
  const key = random.next() < lockedShare ? random.pick(setting.keys) : undefined
  const carriedTools = works.flatMap(({ kind, tool }) => (kind === 'with' ? [tool!] : []))
  const fixedTools = works.flatMap(({ kind, tool }) => (kind === 'at' || kind === 'ready' ? [tool!] : []))
  const worked = works.flatMap(({ kind, things, bases }) => (kind === 'ready' ? [] : [...things, ...bases]))
  const items = [...new Set([...worked, ...random.shuffle(setting.things)])]
    .filter((name) => !carriedTools.includes(name))
    .slice(0, Math.max(new Set(worked).size, 8) + random.int(3))
  const tools = [...new Set([...carriedTools, ...(key === undefined ? [] : [key])])]

  const holders = new Map<string, string>()
  for (const [index, name] of random.shuffle([...surfaces, ...boxes]).entries()) {
    holders.set(name, places[index % places.length]!)
  }
  for (const name of fixedTools) holders.set(name, random.pick(places))
  for (const name of random.shuffle(items)) holders.set(name, random.pick([...surfaces, ...boxes]))
  for (const name of tools) holders.set(name, random.pick(surfaces))

  const states = new Map<string, string[]>(
    boxes.map((box, index) => [box, index === 0 || random.next() < closedShare ? ['closed'] : []]),
  )
  if (key !== undefined) states.set(boxes[0]!, ['closed', 'locked'])
  for (const { things, state, removes } of works) {
    if (state === undefined || !removes) continue
    for (const name of things) if (random.next() < stateShare) states.set(name, [...(states.get(name) ?? []), state])
  }
  return {
    places,
    start: random.pick(places),
    surfaces,
    boxes,
    /** What can be carried, tools and the key included. */
    things: [...items, ...tools],
    /** The carried things that goals are about: neither tools nor the key. */
    items,
    /** What each surface, box, tool and thing is in. */
    holders: holders as ReadonlyMap<string, string>,
    states: states as ReadonlyMap<string, readonly string[]>,
    ...(key !== undefined && { key }),
    works: linkWorks(works, random),
  }
}

/** Two to four works; where one needs a tool that has to be made ready, often that one too. */
function drawWorks(setting: Setting, random: Random): readonly Work[] {
  const drawn = random.shuffle(setting.works).slice(0, 2 + random.int(2))
  const ready = setting.works.find(
    (work) => work.kind === 'ready' && !drawn.includes(work) && drawn.some(({ tool }) => tool === work.tool),
  )
  return ready !== undefined && random.next() < 0.6 ? [...drawn, ready] : drawn
}

/** Picks the wanted values of choices, and says which works need a tool that is ready. */
function linkWorks(works: readonly Work[], random: Random): readonly WorldWork[] {
  const picked = works.map((work) => ({ ...work, ...(work.choice && { wanted: random.pick(work.choice.values) }) }))
  return picked.map((work): WorldWork => {
    const ready =
      work.kind === 'at' ? picked.find(({ kind, tool }) => kind === 'ready' && tool === work.tool) : undefined
    return ready === undefined ? work : { ...work, needs: (ready.wanted ?? ready.state)! }
  })
}

/** An action of a world, in the slots of words.yaml and of its work. */
export interface Action {
  readonly template: string
  readonly meaning: string
  /** The values of each slot. */
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly preconditions: readonly string[]
  readonly effects: readonly string[]
  readonly observation: string
}

/** What an action does in every world, or the form of the work that it does. */
export type ActionKey = Exclude<Wording, 'enter'> | `work ${string}`

/** An action before its wording. `result` is a further sentence of its observation. */
type Drawn = Omit<Action, 'template' | 'observation'> & { readonly result?: string }

/** The most actions of a world. */
const maxActions = 10
const enterShare = 0.3

/**
 * Draws the wordings of the actions of a world. No two begin with the same word. Taking and putting are one action
 * each, or one for surfaces and one for boxes.
 */
export function drawActions(world: World, indoors: boolean, random: Random): ReadonlyMap<ActionKey, Action> {
  const begun = new Set(world.works.map(({ form }) => form.split(' ')[0]!))
  const pick = (kind: Wording): string => {
    const template = random.pick(words().wordings[kind].filter((wording) => !begun.has(wording.split(' ')[0]!)))
    begun.add(template.split(' ')[0]!)
    return template
  }
  const actions = new Map<ActionKey, Action>()
  const add = (key: ActionKey, template: string, { result = '', ...action }: Drawn): void => {
    const values = Object.fromEntries(slotNames(template).map((slot) => [slot, action.values[slot]!]))
    actions.set(key, { ...action, template, values, observation: `${say(template)}${result}` })
  }

  const { things, surfaces, boxes } = world
  add('move', pick(indoors && random.next() < enterShare ? 'enter' : 'move'), {
    meaning: 'go to another place',
    values: { place: world.places },
    preconditions: [],
    effects: ['player at {place}'],
  })
  const bases = world.works.flatMap((work) => work.bases)
  const isSplit = random.next() < 0.6 && world.works.length + (world.key === undefined ? 6 : 7) <= maxActions
  const [isHeld, isInside] = [['player has {thing}'], ['{thing} in {holder}']]
  const isOpen = 'not {holder} is closed'
  const moves = isSplit
    ? ([
        ['takeOff', [...surfaces, ...bases], 'take a thing from what it stands on or is joined to', isInside, isHeld],
        ['takeOut', boxes, 'take a thing out of what it is in', isInside, isHeld],
        ['putOn', surfaces, 'put a thing that you carry on something', isHeld, isInside],
        ['putInto', boxes, 'put a thing that you carry into something that is open', [...isHeld, isOpen], isInside],
      ] as const)
    : ([
        ['take', [...surfaces, ...boxes, ...bases], 'get hold of a thing', isInside, isHeld],
        ['put', [...surfaces, ...boxes], 'put a thing that you carry somewhere', [...isHeld, isOpen], isInside],
      ] as const)
  for (const [key, holder, meaning, preconditions, effects] of moves)
    add(key, pick(key), { meaning, values: { thing: things, holder }, preconditions, effects })
  add('open', pick('open'), {
    meaning: world.key === undefined ? 'open what is closed' : 'open what is closed and not locked',
    values: { box: boxes },
    preconditions: ['{box} is closed', ...(world.key === undefined ? [] : ['not {box} is locked'])],
    effects: ['not {box} is closed'],
  })
  if (world.key !== undefined) {
    add('unlock', pick('unlock'), {
      meaning: 'unlock what is locked, with a key that you carry',
      values: { box: boxes, key: [world.key] },
      preconditions: ['player has {key}', '{box} is locked'],
      effects: ['not {box} is locked'],
    })
  }
  for (const work of world.works) addWork(work, world, add)
  const others: Readonly<Record<'close' | 'inspect', Drawn>> = {
    close: {
      meaning: 'close what is open',
      values: { box: boxes },
      preconditions: ['not {box} is closed'],
      effects: ['{box} is closed'],
    },
    inspect: { meaning: 'look at a thing', values: { thing: things }, preconditions: [], effects: [] },
  }
  for (const key of random.shuffle(['close', 'inspect'] as const)) {
    if (actions.size < maxActions && random.next() < 0.4) add(key, pick(key), others[key])
  }
  return actions
}

function addWork(
  { kind, form, tool, things, bases, state, removes, choice, needs }: WorldWork,
  { holders }: World,
  add: (key: ActionKey, template: string, action: Drawn) => void,
): void {
  const subject = kind === 'ready' ? '{tool}' : '{thing}'
  const values = {
    thing: things,
    base: bases,
    ...(tool !== undefined && { tool: [tool] }),
    ...(choice && { [choice.slot]: choice.values }),
  }
  if (kind === 'join') {
    add(`work ${form}`, form, {
      meaning: 'join a thing that you carry to another one that is near',
      values,
      preconditions: ['player has {thing}'],
      effects: ['{thing} in {base}'],
    })
    return
  }
  const isSo = state === undefined ? [] : [`${removes ? '' : 'not '}${subject} is ${state}`]
  const isReady = needs === undefined ? [] : [`${tool!} is ${needs}`]
  const isThere = form.includes('{tool}') ? [] : [`player at ${holders.get(tool!)!}`]
  const result = choice ? `has the ${choice.slot} of your choice` : `is ${removes ? 'no longer ' : ''}${state!}`
  add(`work ${form}`, form, {
    meaning: {
      at: `treat a thing that you carry at the ${tool!}, so that it ${result}${needs === undefined ? '' : `; the ${tool!} must be ${needs} before`}`,
      with: `treat a thing that is near with the ${tool!}, which you must carry, so that it ${result}`,
      ready: choice ? `set the ${choice.slot} of the ${tool!}` : `prepare the ${tool!}, so that it ${result}`,
    }[kind],
    values,
    preconditions: {
      at: ['player has {thing}', ...isThere, ...isReady, ...isSo],
      with: ['player has {tool}', ...isSo],
      ready: isSo,
    }[kind],
    ...(!(kind === 'ready' && choice) && {
      result: ` It is ${removes ? 'no longer' : 'now'} ${state ?? `{${choice!.slot}}`}.`,
    }),
    effects:
      state === undefined
        ? [...choice!.values.map((value) => `not ${subject} is ${value}`), `${subject} is {${choice!.slot}}`]
        : [`${removes ? 'not ' : ''}${subject} is ${state}`],
  })
}

const frontPattern = /^((?:from|off|out of|into|on|to) \{\w+\}) (.*)$/
const itemSlots = /\{(?:thing|holder|place|box|key|tool|base)\}/g

/** The sentence that answers an action, `You take the {thing} from the {holder}.` */
function say(template: string): string {
  const [, front, rest] = frontPattern.exec(template) ?? []
  const text = front === undefined ? `you ${template}` : `${front} you ${rest!}`
  return sentence(text.replace(itemSlots, 'the $&'))
}

/** A text as a sentence. */
export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

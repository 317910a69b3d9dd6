import type { Random } from '../../core/random.js'
import type { Setting, Work } from './settings.js'

/** A work in a world: its things are those that are there. */
export interface WorldWork extends Work {
  /** The value that the goal or another work wants, where the work has a choice. */
  readonly wanted?: string
  /** The state that its tool must have. */
  readonly needs?: string
}

/** Everything in a world at its start. */
export interface World {
  readonly places: readonly string[]
  readonly start: string
  readonly surfaces: readonly string[]
  readonly boxes: readonly string[]
  /** What can be carried, tools and the key included. */
  readonly things: readonly string[]
  /** The carried things that goals are about: neither tools nor the key. */
  readonly items: readonly string[]
  /** What each surface, box, tool and thing is in. */
  readonly holders: ReadonlyMap<string, string>
  readonly states: ReadonlyMap<string, readonly string[]>
  readonly key?: string
  readonly works: readonly WorldWork[]
}

/** Shares of boxes that are closed, and of things that have a state which a work removes. */
const closedShare = 0.7
const stateShare = 0.75
const lockedShare = 0.35

/** Draws a world without its goal. */
export function drawWorld(setting: Setting, random: Random): World {
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
    things: [...items, ...tools],
    items,
    holders,
    states,
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

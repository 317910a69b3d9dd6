import type { ActionForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import type { Paths } from './paths.js'
import { findPaths } from './paths.js'
import type { Sight, Sighting } from './sight.js'
import type { Board } from './simulator/board.js'
import { actions } from './simulator/verifier.js'

/** The actions that are possible now, and the refusals of the others. */
export interface Moves {
  /** The actions in AgentBoard's order, each with the Minigrid actions that carry it out. */
  readonly possible: ReadonlyMap<string, readonly number[]>
  /** The answers to actions that are known but impossible now. */
  readonly refusals: ReadonlyMap<string, Text>
}

/** The action that lists the actions. */
export const checkAction = 'check available actions'

/**
 * Lists every action on the things in view. Things are numbered by name as in AgentBoard: for `pickup` and `go to` only
 * reachable things are counted.
 */
export function findMoves(board: Board, sight: Sight): Moves {
  const possible = new Map<string, readonly number[]>()
  const refusals = new Map<string, Text>()
  const paths = findPaths(board.agent, board.direction, sight)
  const held = board.carrying === undefined ? undefined : board.things[board.carrying]!
  possible.set('turn left', [actions.left])
  possible.set('turn right', [actions.right])
  if (sight.barriers[0]?.ahead === 1) {
    refusals.set('move forward', ["There is a barrier in front of you, you can't ", { command: 'move forward' }, '.'])
  } else {
    possible.set('move forward', [actions.forward])
  }
  if (held === undefined) addPickups(sight, paths, possible, refusals)
  addDrop(sight, held !== undefined, possible, refusals)
  addDoors(sight, paths, held, possible, refusals)
  addWalks(sight, paths, possible, refusals)
  possible.set(checkAction, [])
  return { possible, refusals }
}

type Possible = Map<string, readonly number[]>
type Refusals = Map<string, Text>

function addPickups({ things }: Sight, paths: Paths, possible: Possible, refusals: Refusals): void {
  const counts = createCounter()
  for (const { kind, name, place } of things) {
    if (kind === 'wall' || kind === 'door') continue
    const path = paths.facing(place)
    const command = `pickup ${name} ${String(counts.next(name))}`
    if (path === undefined) refusals.set(command, noPath(command))
    else {
      counts.take(name)
      possible.set(command, [...path, actions.pickup])
    }
  }
}

function addDrop({ things }: Sight, isHolding: boolean, possible: Possible, refusals: Refusals): void {
  if (!isHolding) {
    refusals.set('drop', ['You cannot ', { command: 'drop' }, ' the object, as you are not carrying anything.'])
    return
  }
  const isTaken = things.some(({ kind, ahead, aside }) => kind !== 'door' && ahead === 1 && aside === 0)
  if (isTaken)
    refusals.set('drop', [
      'You cannot ',
      { command: 'drop' },
      ' the object, as there is already an object in front of you.',
    ])
  else possible.set('drop', [actions.drop])
}

function addDoors(
  { things }: Sight,
  paths: Paths,
  held: Pick<Sighting, 'kind' | 'colour'> | undefined,
  possible: Possible,
  refusals: Refusals,
): void {
  const counts = createCounter()
  for (const { kind, name, colour, place } of things) {
    if (kind !== 'door') continue
    const number = counts.take(name)
    const through = `go through ${name} ${String(number)}`
    if (name.includes(' open ')) {
      const path = paths.onto(place)
      if (path === undefined) refusals.set(through, noPath(through))
      else possible.set(through, path)
      continue
    }
    const toggle = `toggle and ${through}`
    if (name.includes(' locked ') && !(held?.kind === 'key' && held.colour === colour)) {
      const why =
        held?.kind === 'key'
          ? 'as the color of the key you are carrying does not match the color of door.'
          : 'as you are not carrying a key.'
      refusals.set(toggle, ['You cannot ', { command: toggle }, `, ${why}`])
      continue
    }
    const path = paths.facing(place)
    if (path === undefined) {
      refusals.set(toggle, noWay(name, counts.all))
    } else {
      possible.set(toggle, [...path, actions.toggle, actions.forward])
      if (path.length === 0) possible.set('toggle', [actions.toggle])
    }
    if (name.includes(' closed ')) {
      refusals.set(through, [
        'You cannot ',
        { command: through },
        ', as it is closed. You should ',
        { command: 'toggle' },
        ' it first.',
      ])
    }
  }
}

function addWalks({ things }: Sight, paths: Paths, possible: Possible, refusals: Refusals): void {
  const counts = createCounter()
  for (const { kind, name, place } of things) {
    if (kind === 'wall') continue
    const command = `go to ${name} ${String(counts.next(name))}`
    const path = paths.facing(place)
    if (path === undefined) refusals.set(command, noPath(command))
    else {
      counts.take(name)
      possible.set(command, path)
    }
  }
}

function noPath(command: string): Text {
  return ['You cannot ', { command }, ', as there is no path leading to it.']
}

/** The original prints all counts so far, as a Python dictionary, instead of the door's number. */
function noWay(name: string, counts: ReadonlyMap<string, number>): Text {
  const printed = [...counts].map(([door, count]) => `'${door}': ${String(count)}`).join(', ')
  const form = { form: 'toggle and go through {door}', fill: { door: `${name} {${printed}}` } }
  return ['You cannot ', form, ', as there is no path leading to it.']
}

function createCounter() {
  const counts = new Map<string, number>()
  const next = (name: string): number => (counts.get(name) ?? 0) + 1
  return {
    all: counts as ReadonlyMap<string, number>,
    next,
    take(name: string): number {
      const number = next(name)
      counts.set(name, number)
      return number
    },
  }
}

/** The name of the list of actions in AgentBoard's prompts; any action that contains `check` returns the list. */
export const checkValidActions = 'check valid actions'

/** The action forms that the instruction advertises. */
export const advertisedForms: readonly ActionForm[] = [
  { template: 'turn left', meaning: 'turn a quarter to the left' },
  { template: 'turn right', meaning: 'turn a quarter to the right' },
  { template: 'move forward', meaning: 'take a step ahead' },
  { template: 'go to {obj}', meaning: 'walk up to something in view until you face it' },
  {
    template: 'pickup {obj}',
    meaning: 'walk up to a key, ball or box in view and pick it up; you hold one thing at a time',
  },
  { template: 'drop', meaning: 'put down what you hold, onto the free cell in front of you' },
  { template: 'go through {door}', meaning: 'walk onto the cell of an open door' },
  {
    template: 'toggle and go through {door}',
    meaning:
      'walk up to a closed door, open it and step into it; a locked one too, with a key of its colour in your hand',
  },
  { template: 'toggle', meaning: 'open the closed or locked door right in front of you' },
  { template: checkAction, meaning: 'be told every action that is possible now' },
]

/** Every action form that is understood. */
export const allForms: readonly ActionForm[] = [
  ...advertisedForms,
  { template: checkValidActions, meaning: 'the same' },
]

/** Every name that can occur in an episode: `red ball 1`, `red ball 2`, `blue locked door 1`. */
export function namesOf({ things }: Board): readonly string[] {
  const counts = new Map<string, number>()
  for (const { kind, colour } of things.slice(1)) {
    const names =
      kind === 'door' ? ['open', 'closed', 'locked'].map((state) => `${colour} ${state} door`) : [`${colour} ${kind}`]
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) =>
    Array.from({ length: count }, (_, index) => `${name} ${String(index + 1)}`),
  )
}

/** The items that texts mention, for callers without a board: `red ball 1`, `blue locked door 1`. */
export function itemNames(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => text.match(itemName) ?? []))]
}

const itemName = /\b[a-z]+ (?:(?:open|closed|locked) door|key|ball|box) \d+\b/g

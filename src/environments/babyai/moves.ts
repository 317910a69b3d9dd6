import type { ActionForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { findPaths } from './paths.js'
import type { Sight } from './sight.js'
import type { Board } from './simulator/board.js'
import { actions } from './simulator/verifier.js'

/** The action that lists the actions. */
export const checkAction = 'check available actions'

/**
 * Lists every action on the things in view, in AgentBoard's order, each with the Minigrid actions that carry it out,
 * and the refusals of those that are known but impossible now. Things are numbered by name as in AgentBoard: for
 * `pickup` and `go to` only reachable things are counted.
 */
export function findMoves(board: Board, sight: Sight) {
  const possible = new Map<string, readonly number[]>()
  const refusals = new Map<string, Text>()
  const paths = findPaths(board.agent, board.direction, sight)
  const { things, barriers } = sight
  const held = board.carrying === undefined ? undefined : board.things[board.carrying]!
  const refuse = (command: string, why: string, ...more: Text): void =>
    void refusals.set(command, ['You cannot ', { command }, why, ...more])
  /** An action on each thing of some kinds, from the cell before it. */
  const approach = (verb: string, others: readonly string[], then: readonly number[]): void => {
    const counts = createCounter()
    for (const { kind, name, place } of things) {
      if (others.includes(kind)) continue
      const command = `${verb} ${name} ${String(counts.next(name))}`
      const path = paths.facing(place)
      if (path === undefined) refuse(command, noPath)
      else {
        counts.take(name)
        possible.set(command, [...path, ...then])
      }
    }
  }

  possible.set('turn left', [actions.left])
  possible.set('turn right', [actions.right])
  if (barriers[0]?.ahead === 1) {
    refusals.set('move forward', ["There is a barrier in front of you, you can't ", { command: 'move forward' }, '.'])
  } else {
    possible.set('move forward', [actions.forward])
  }
  if (held === undefined) {
    approach('pickup', ['wall', 'door'], [actions.pickup])
    refuse('drop', ' the object, as you are not carrying anything.')
  } else if (things.some(({ kind, ahead, aside }) => kind !== 'door' && ahead === 1 && aside === 0)) {
    refuse('drop', ' the object, as there is already an object in front of you.')
  } else possible.set('drop', [actions.drop])
  const counts = createCounter()
  for (const { kind, name, colour, place } of things) {
    if (kind !== 'door') continue
    const through = `go through ${name} ${String(counts.take(name))}`
    if (name.includes(' open ')) {
      const path = paths.onto(place)
      if (path === undefined) refuse(through, noPath)
      else possible.set(through, path)
      continue
    }
    const toggle = `toggle and ${through}`
    if (name.includes(' locked ') && !(held?.kind === 'key' && held.colour === colour)) {
      refuse(toggle, held?.kind === 'key' ? otherColour : ', as you are not carrying a key.')
      continue
    }
    const path = paths.facing(place)
    if (path === undefined) {
      refusals.set(toggle, noWay(name, counts.all))
    } else {
      possible.set(toggle, [...path, actions.toggle, actions.forward])
      if (path.length === 0) possible.set('toggle', [actions.toggle])
    }
    if (name.includes(' closed '))
      refuse(through, ', as it is closed. You should ', { command: 'toggle' }, ' it first.')
  }
  approach('go to', ['wall'], [])
  possible.set(checkAction, [])
  return { possible, refusals }
}

/** The actions that are possible now, and the refusals of others. */
export type Moves = ReturnType<typeof findMoves>

const noPath = ', as there is no path leading to it.'
const otherColour = ', as the color of the key you are carrying does not match the color of door.'

/** The original prints all counts so far, as a Python dictionary, instead of the door's number. */
function noWay(name: string, counts: ReadonlyMap<string, number>): Text {
  const printed = [...counts].map(([door, count]) => `'${door}': ${String(count)}`).join(', ')
  return ['You cannot ', { form: 'toggle and go through {door}', fill: { door: `${name} {${printed}}` } }, noPath]
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

import type { Engine } from './engine/engine.js'
import { FactReader } from './engine/facts.js'
import { readGoal } from './goal.js'
import { type Goal, goalsOfKind } from './scenes/goal.js'

/** A receptacle. Things, locations and types are object numbers of the task. */
interface Spot {
  readonly receptacle: number
  readonly type: number | undefined
  readonly location: number
  /** Whether it has to be opened before anything can be put in or taken out. */
  readonly closed: boolean
}

/** Commands, and where they leave the agent. */
interface Path {
  readonly commands: readonly string[]
  readonly location: number
  /** The receptacles that they open. */
  readonly opened: readonly Spot[]
}

/** A way to hold an object, and the other receptacles that still hold it. */
interface Hold {
  readonly path: Path
  readonly object: number
  readonly still: readonly Spot[]
}

/**
 * A shortest solution of a household game from its current state, as commands in the game's own wording: empty where
 * the game is won, undefined where it can no longer be won (the agent holds an object that fits nowhere). It plans on
 * the state of the game and does not use a walkthrough. It compares every way to hold an object (the one in hand, or
 * any other after putting that down anywhere), every appliance and every final receptacle. Other plans only add
 * commands to one of these: every receptacle is one `go to` away from every other, and objects that the goal does not
 * name are never in the way.
 */
export function solveHousehold(
  { game, facts: now, won }: Engine,
  goal: Goal | undefined = readGoal(game.goalSentence),
): readonly string[] | undefined {
  if (won) return []
  if (goal === undefined) return undefined
  const { task, nameOf, generation } = game
  const facts = new FactReader(task, now)
  const name = (thing: number): string => nameOf[thing]!
  const typeOf = (className: string): number => task.object(`${className.toLowerCase()}type`) ?? -1
  const spots = facts.all('receptacleatlocation', 0).map((receptacle): Spot => ({
    receptacle,
    type: facts.second('receptacletype', receptacle)[0],
    location: facts.second('receptacleatlocation', receptacle)[0]!,
    closed: facts.is('openable', receptacle) && !facts.is('opened', receptacle),
  }))
  const inside = (object: number): readonly Spot[] =>
    facts.second('inreceptacle', object).flatMap((place) => spots.find(({ receptacle }) => receptacle === place) ?? [])
  const fits = ({ type = -1 }: Spot, object: number): boolean =>
    facts.second('objecttype', object).some((of) => facts.is('cancontain', type, of))

  let best: readonly string[] | undefined
  const consider = ({ commands }: Path): void => {
    if (isShort({ commands })) best = commands
  }
  const isShort = ({ commands }: Pick<Path, 'commands'>): boolean => best === undefined || commands.length < best.length

  const at = ({ commands, location, opened }: Path, spot: Spot, command?: string, inIt = false): Path => {
    const isOpening = inIt && spot.closed && !opened.includes(spot)
    return {
      commands: [
        ...commands,
        ...(location === spot.location ? [] : [`go to ${name(spot.receptacle)}`]),
        ...(isOpening ? [`open ${name(spot.receptacle)}`] : []),
        ...(command === undefined ? [] : [command]),
      ],
      location: spot.location,
      opened: isOpening ? [...opened, spot] : opened,
    }
  }
  const take = (path: Path, object: number, spot: Spot): Path =>
    at(path, spot, `take ${name(object)} from ${name(spot.receptacle)}`, true)
  const put = (path: Path, object: number, spot: Spot): Path => {
    const [what, where] = [name(object), name(spot.receptacle)]
    return at(path, spot, generation === 'old' ? `put ${what} in/on ${where}` : `move ${what} to ${where}`, true)
  }
  function* waysToHold(from: Path, held: number | undefined, objects: readonly number[]): Generator<Hold> {
    if (held !== undefined && objects.includes(held)) yield { path: from, object: held, still: inside(held) }
    const emptied =
      held === undefined
        ? [from]
        : spots
            .filter((spot) => fits(spot, held))
            .map((spot) => put(from, held, spot))
            .sort((left, right) => left.commands.length - right.commands.length)
    for (const path of emptied.filter(isShort)) {
      for (const object of objects) {
        if (object === held || !facts.is('pickupable', object)) continue
        for (const spot of inside(object)) {
          yield { path: take(path, object, spot), object, still: inside(object).filter((other) => other !== spot) }
        }
      }
    }
  }

  const [agent = -1] = facts.all('atlocation', 0)
  const start: Path = { commands: [], location: facts.second('atlocation', agent)[0] ?? -1, opened: [] }
  const [held] = facts.second('holds', agent)
  const { change } = goalsOfKind[goal.kind]
  const objects = facts
    .first('objecttype', typeOf(goal.object))
    .filter((object) => change === undefined || facts.is(change.affordance.toLowerCase(), object))

  if (goal.kind === 'look_at_obj_in_light') {
    const lamps = facts.first('objecttype', typeOf(goal.target)).filter((lamp) => facts.is('toggleable', lamp))
    for (const { path } of waysToHold(start, held, objects)) {
      for (const lamp of lamps) {
        const command = facts.is('istoggled', lamp) ? undefined : `use ${name(lamp)}`
        for (const spot of inside(lamp)) consider(at(path, spot, command))
      }
    }
    return best
  }

  const targetType = typeOf(goal.target)
  const targets = spots.filter((spot) => spot.type === targetType && objects[0] !== undefined && fits(spot, objects[0]))
  if (goal.kind === 'pick_two_obj_and_place') {
    for (const target of targets) {
      const absent = objects.filter((object) => !inside(object).includes(target))
      for (const first of waysToHold(start, held, absent)) {
        const one = put(first.path, first.object, target)
        if (absent.length < objects.length) consider(one)
        else if (isShort(one)) {
          const others = absent.filter((object) => object !== first.object)
          for (const { path, object } of waysToHold(one, undefined, others)) consider(put(path, object, target))
        }
      }
    }
    return best
  }

  const appliances = spots.filter(({ type }) => change !== undefined && type === typeOf(change.appliance))
  // The kinds are called such as `pick_heat_then_place_in_recep`.
  const verb = goal.kind.split('_')[1]!
  for (const { path, object, still } of waysToHold(start, held, objects)) {
    if (!isShort(path)) continue
    const isReady = change === undefined || facts.is(change.fact.toLowerCase(), object)
    const changed = isReady
      ? [path]
      : appliances.map((spot) => at(path, spot, `${verb} ${name(object)} with ${name(spot.receptacle)}`))
    for (const one of changed) {
      if (still.some(({ type }) => type === targetType)) consider(one)
      else for (const spot of targets) consider(put(one, object, spot))
    }
  }
  return best
}

import { printForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import { cleanText, hasEnded } from './agentboard-rules.js'
import { directions } from './grammar.js'
import { StoryFault } from './machine/memory.js'
import type { Machine, Snapshot } from './machine/machine.js'
import type { SubGoals } from '../sub-goals.js'
import { type Story, roomOf } from './story.js'

const maxPlans = 256
const maxRooms = 40

/** Finds a solution from a machine's state; undefined if none was found. The machine is left as it was. */
export type PlanFinder = (machine: Machine, progress: SubGoals) => readonly string[] | undefined

/**
 * Solves a task by its script: the shortest end of the script that leads to the goal from the present state, after a
 * walk to a room on its way if need be, without the steps that are not needed. Nothing is found where an action has
 * made the rest of the script impossible.
 */
export function planByScript(
  story: Story,
  lines: readonly string[],
  start: { readonly snapshot: Snapshot },
): PlanFinder {
  const script = lines.map((line) => inFirstWording(story, line))
  const keep = keepRecent<readonly string[] | undefined>(maxPlans)
  return (machine, progress) =>
    keep([...machine.dynamicMemory].join() + String(progress.share), () => search(machine, progress))

  function search(machine: Machine, progress: SubGoals): readonly string[] | undefined {
    if (machine.finished) return undefined
    const here = machine.snapshot()
    const works = (from: Snapshot, actions: readonly string[], so: SubGoals): number | undefined => {
      machine.restore(from)
      const subGoals = so.fork()
      for (const [index, action] of actions.entries()) {
        const output = machine.step(action)
        if (subGoals.record(cleanText(output)) === 1) return index + 1
        if (hasEnded(machine, output)) return undefined
      }
      return undefined
    }
    try {
      const rooms = roomsAlong(machine)
      for (const { path, snapshot, progress: so, room } of walks(machine, here, progress)) {
        for (let from = script.length - 1; from >= 0; from--) {
          if (path.length > 0 && rooms[from] !== room) continue
          const rest = script.slice(from)
          const length = works(snapshot, rest, so)
          if (length !== undefined) return [...path, ...needed(rest.slice(0, length), snapshot, so)]
        }
      }
      return undefined
    } catch (thrown) {
      if (thrown instanceof StoryFault) return undefined
      throw thrown
    } finally {
      machine.restore(here)
    }

    /** A plan without the steps that it works without. */
    function needed(actions: readonly string[], from: Snapshot, so: SubGoals): readonly string[] {
      let left = actions
      for (let index = actions.length - 1; index >= 0; index--) {
        const without = left.filter((_, place) => place !== index)
        if (works(from, without, so) !== undefined) left = without
      }
      return left
    }
  }

  /** The room before each step of the script. */
  function roomsAlong(machine: Machine): readonly number[] {
    machine.restore(start.snapshot)
    return script.map((action) => {
      const room = roomNow(machine)
      machine.step(action)
      return room
    })
  }

  function roomNow(machine: Machine): number {
    const player = story.findPlayer(machine)
    return player === undefined ? 0 : roomOf(machine, player)
  }

  /** The present place, and those that directions lead to from it, nearest first. */
  function* walks(machine: Machine, here: Snapshot, progress: SubGoals) {
    machine.restore(here)
    const queue = [{ path: [] as readonly string[], snapshot: here, progress, room: roomNow(machine) }]
    const known = new Set(queue.map(({ room }) => room))
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      yield next
      for (const direction of directions) {
        if (known.size >= maxRooms) break
        machine.restore(next.snapshot)
        const subGoals = next.progress.fork()
        const output = machine.step(direction)
        subGoals.record(cleanText(output))
        const room = roomNow(machine)
        if (known.has(room) || hasEnded(machine, output) || subGoals.share === 1) continue
        known.add(room)
        queue.push({ path: [...next.path, direction], snapshot: machine.snapshot(), progress: subGoals, room })
      }
    }
  }
}

/** A line in the words of its action form, which perturbations translate: `east` for `go east`. */
function inFirstWording({ reader, names }: Story, line: string): string {
  const templates = reader.forms.map(({ template }) => template)
  const action = reader.read(line, templates, names)
  return action === undefined ? line : printForm(action.template, action.filling)
}

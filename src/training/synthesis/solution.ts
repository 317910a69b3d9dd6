import { printForm } from '../../core/form.js'
import type { Filling } from '../../core/form.js'
import type { Action, ActionKey } from './draw-actions.js'
import type { World, WorldWork } from './draw-world.js'

/** See {@link beginSolution}. */
export type Solution = ReturnType<typeof beginSolution>

/**
 * Plays a world in the simplest way, one part of its goal after the other, and collects the actions.
 * @param roomOf the place that anything is in at the start
 */
export function beginSolution(world: World, actions: ReadonlyMap<ActionKey, Action>, roomOf: (name: string) => string) {
  const steps: string[] = []
  const held = new Set<string>()
  const closed = new Set(world.boxes.filter((box) => world.states.get(box)?.includes('closed')))
  const locked = new Set(world.boxes.filter((box) => world.states.get(box)?.includes('locked')))
  const ready = new Set<string>()
  let room = world.start

  const act = (key: ActionKey, filling: Filling): void => {
    steps.push(printForm(actions.get(key)!.template, filling))
  }
  const go = (name: string): void => {
    if (held.has(name) || roomOf(name) === room) return
    room = roomOf(name)
    act('move', { place: room })
  }
  const open = (box: string): void => {
    if (locked.delete(box)) {
      hold(world.key!)
      go(box)
      act('unlock', { box, key: world.key! })
    }
    go(box)
    if (closed.delete(box)) act('open', { box })
  }
  const reach = (thing: string): void => {
    if (!held.has(thing)) open(world.holders.get(thing)!)
  }
  const hold = (thing: string): void => {
    if (held.has(thing)) return
    reach(thing)
    const holder = world.holders.get(thing)!
    act(actions.has('take') ? 'take' : world.boxes.includes(holder) ? 'takeOut' : 'takeOff', { thing, holder })
    held.add(thing)
  }
  const prepare = ({ form, tool, choice, wanted }: WorldWork): void => {
    if (ready.has(tool!)) return
    go(tool!)
    act(`work ${form}`, { tool: tool!, ...(choice && { [choice.slot]: wanted! }) })
    ready.add(tool!)
  }
  return {
    steps: steps as readonly string[],
    openBoxes: () => world.boxes.filter((box) => !closed.has(box)),
    prepare,
    put(thing: string, holder: string): void {
      hold(thing)
      open(holder)
      act(actions.has('put') ? 'put' : world.boxes.includes(holder) ? 'putInto' : 'putOn', { thing, holder })
    },
    treat({ kind, form, tool, choice, wanted, needs }: WorldWork, thing: string): void {
      if (kind === 'with') {
        hold(tool!)
        reach(thing)
      } else {
        hold(thing)
        if (needs !== undefined) prepare(world.works.find((work) => work.kind === 'ready' && work.tool === tool)!)
        go(tool!)
      }
      act(`work ${form}`, { thing, tool: tool!, ...(choice && { [choice.slot]: wanted! }) })
    },
    join({ form }: WorldWork, thing: string, base: string): void {
      hold(thing)
      reach(base)
      act(`work ${form}`, { thing, base })
    },
    close(box: string): void {
      go(box)
      act('close', { box })
    },
  }
}

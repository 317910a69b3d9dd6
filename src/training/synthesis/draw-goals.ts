import { printForm } from '../../core/form.js'
import type { Random } from '../../core/random.js'
import type { Action, ActionKey } from './draw-actions.js'
import { sentence } from './draw-actions.js'
import type { World } from './draw-world.js'
import type { Solution } from './solution.js'
import { beginSolution } from './solution.js'

/** A goal, and actions that reach it. */
export interface Goals {
  readonly text: string
  readonly conditions: readonly string[]
  readonly solution: readonly string[]
}

/** A part of a goal. `reach` adds the actions that it takes to a solution. */
interface SubGoal {
  readonly text: string
  readonly conditions: readonly string[]
  readonly reach: (solution: Solution) => void
}

/** The sentences of a goal, in one style for each script. */
interface Style {
  /** @param state such as `labelled` or `no longer dusty` */
  readonly become: (thing: string, state: string) => string
  readonly lie: (thing: string, at: string) => string
  readonly both: (thing: string, state: string, at: string) => string
  readonly leave: (box: string) => string
}

const styles: readonly Style[] = [
  {
    become: (thing, state) => `see to it that the ${thing} is ${state}`,
    lie: (thing, at) => `put the ${thing} ${at}`,
    both: (thing, state, at) => `put the ${thing} ${at} and see to it that it is ${state}`,
    leave: (box) => `leave the ${box} closed`,
  },
  {
    become: (thing, state) => `the ${thing} must be ${state}`,
    lie: (thing, at) => `the ${thing} must be ${at} at the end`,
    both: (thing, state, at) => `the ${thing} must be ${state} and must be ${at} at the end`,
    leave: (box) => `the ${box} must be closed at the end`,
  },
  {
    become: (thing, state) => `make sure that the ${thing} is ${state}`,
    lie: (thing, at) => `make sure that the ${thing} is ${at}`,
    both: (thing, state, at) => `make sure that the ${thing} is ${state} and is ${at}`,
    leave: (box) => `make sure that the ${box} is closed when you finish`,
  },
  {
    become: (thing, state) => `the ${thing} should be ${state}`,
    lie: (thing, at) => `the ${thing} belongs ${at}`,
    both: (thing, state, at) => `the ${thing} should be ${state} and belongs ${at}`,
    leave: (box) => `do not leave the ${box} open`,
  },
  {
    become: (thing, state) => `someone needs the ${thing}, and it must be ${state}`,
    lie: (thing, at) => `someone needs the ${thing} ${at}`,
    both: (thing, state, at) => `someone needs the ${thing} ${at}, and it must be ${state}`,
    leave: (box) => `close the ${box} before you finish`,
  },
]

/**
 * Draws a goal of two to four parts. The first two are about different things, each of which takes two actions of its
 * own or more. Undefined where the world has too little for the parts that were drawn.
 */
export function drawGoals(world: World, actions: ReadonlyMap<ActionKey, Action>, random: Random): Goals | undefined {
  const used = new Set<string>()
  const style = random.pick(styles)
  const roomOf = (name: string): string => {
    const holder = world.holders.get(name)
    return holder === undefined ? name : roomOf(holder)
  }
  const at = (holder: string): string => `${world.boxes.includes(holder) ? 'in' : 'on'} the ${holder}`
  const free = (names: readonly string[]): readonly string[] =>
    random.shuffle(names.filter((name) => world.items.includes(name) && !used.has(name)))
  const drawTarget = (thing: string): string | undefined =>
    random.shuffle([...world.surfaces, ...world.boxes]).find((holder) => roomOf(holder) !== roomOf(thing))

  const place = (things: readonly string[]): SubGoal | undefined => {
    const [thing] = free(things)
    const target = thing === undefined ? undefined : drawTarget(thing)
    if (thing === undefined || target === undefined) return undefined
    used.add(thing)
    return {
      text: style.lie(thing, at(target)),
      conditions: [`${thing} in ${target}`],
      reach: (solution) => {
        solution.put(thing, target)
      },
    }
  }
  const fetch = (): SubGoal | undefined =>
    place(world.items.filter((thing) => world.states.get(world.holders.get(thing)!)?.includes('closed')))
  const treat = (): SubGoal | undefined => {
    const [work] = random.shuffle(world.works.filter(({ kind }) => kind === 'at' || kind === 'with'))
    if (work === undefined) return undefined
    const { state, removes, wanted } = work
    const [thing] = free(work.things).filter((one) => !removes || world.states.get(one)?.includes(state!))
    const target = thing === undefined ? undefined : drawTarget(thing)
    if (thing === undefined || target === undefined) return undefined
    used.add(thing)
    const result = (wanted ?? state)!
    const said = `${removes ? 'no longer ' : ''}${result}`
    const isPlaced = work.kind === 'with' || random.next() < 0.5
    return {
      text: isPlaced ? style.both(thing, said, at(target)) : style.become(thing, said),
      conditions: [`${removes ? 'not ' : ''}${thing} is ${result}`, ...(isPlaced ? [`${thing} in ${target}`] : [])],
      reach: (solution) => {
        solution.treat(work, thing)
        if (isPlaced) solution.put(thing, target)
      },
    }
  }
  const join = (): SubGoal | undefined => {
    const work = world.works.find(({ kind }) => kind === 'join')
    const [thing] = free(work?.things ?? [])
    const [base] = free(work?.bases ?? [])
    if (work === undefined || thing === undefined || base === undefined) return undefined
    used.add(thing).add(base)
    const target = drawTarget(base)
    const isPlaced = target !== undefined && random.next() < 0.5
    const text = printForm(work.form, { thing: `the ${thing}`, base: `the ${base}` })
    return {
      text: isPlaced ? `${text} and put the ${base} ${at(target)}` : text,
      conditions: [`${thing} in ${base}`, ...(isPlaced ? [`${base} in ${target}`] : [])],
      reach: (solution) => {
        solution.join(work, thing, base)
        if (isPlaced) solution.put(base, target)
      },
    }
  }
  const prepare = (): SubGoal | undefined => {
    const work = world.works.find(({ kind, tool }) => kind === 'ready' && !used.has(tool!))
    if (work === undefined) return undefined
    used.add(work.tool!)
    const { tool, choice, wanted, state } = work
    return {
      text: printForm(work.form, { tool: `the ${tool!}`, ...(choice && { [choice.slot]: wanted! }) }),
      conditions: [`${tool!} is ${(wanted ?? state)!}`],
      reach: (solution) => {
        solution.prepare(work)
      },
    }
  }

  const others = [() => place(world.items), fetch, treat, treat, join, prepare]
  const drawn = [
    random.pick([treat, treat, join])(),
    random.pick([() => place(world.items), fetch, treat, join])(),
    ...Array.from({ length: random.int(3) }, () => random.pick(others)()),
  ]
  const parts = drawn.filter((part) => part !== undefined)
  if (parts.length < drawn.length) return undefined
  const solution = beginSolution(world, actions, roomOf)
  for (const { reach } of parts) reach(solution)
  const box = solution.openBoxes()[0]
  if (parts.length < 4 && actions.has('close') && box !== undefined && random.next() < 0.6) {
    parts.push({ text: style.leave(box), conditions: [`${box} is closed`], reach: () => undefined })
    solution.close(box)
  }
  return {
    text: parts.map(({ text }) => sentence(text)).join(' '),
    conditions: parts.flatMap(({ conditions }) => conditions),
    solution: solution.steps,
  }
}

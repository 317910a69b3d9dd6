import { ShaketableError } from '../../core/errors.js'
import type { Filling } from '../../core/form.js'
import { parseTemplate, printForm } from '../../core/form.js'
import type { Random } from '../../core/random.js'
import type { Action, ActionKey, World, WorldWork } from './draw-world.js'
import { drawActions, drawWorld, sentence } from './draw-world.js'
import type { Setting } from './settings.js'
import { settings, withNumbers, words } from './settings.js'

const numberedShare = 0.5

/**
 * Draws a playable script without a model: a world that suits a persona by the words of its sentence, or any if none
 * suits. In about half of the worlds names have numbers. Every script can be solved in 4 to 20 steps. Equal personas
 * and streams give equal scripts.
 */
export function drawScript(persona: string, random: Random): unknown {
  const setting = random.pick(settingsFor(persona))
  return composeScript(random.next() < numberedShare ? withNumbers(setting, random) : setting, random).script
}

/** The settings with the most words in a persona, in singular or plural; all if none has one. */
export function settingsFor(persona: string): readonly Setting[] {
  const text = ` ${(persona.toLowerCase().match(/[a-z]+/g) ?? []).join(' ')} `
  const scores = settings().map(({ words }) => words.filter((word) => occurs(word, text)).length)
  const best = Math.max(...scores)
  return settings().filter((_, index) => scores[index] === best)
}

function occurs(word: string, text: string): boolean {
  return [word, `${word}s`, `${word}es`].some((form) => text.includes(` ${form} `))
}

/** A script that can be played, and actions that reach its goal. */
interface ComposedScript {
  readonly script: Readonly<Record<string, unknown>>
  readonly solution: readonly string[]
}

/** Limits of the number of actions that reach the goal. */
const minSteps = 4
const maxSteps = 20
/** Nearly half of the draws are accepted, in no setting fewer than three in ten. */
const maxAttempts = 1000

/** Composes a script of a setting. Worlds with a goal that takes too many or too few steps are drawn again. */
export function composeScript(setting: Setting, random: Random): ComposedScript {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const composed = draw(setting, random)
    const steps = composed?.solution.length ?? 0
    if (composed !== undefined && steps >= minSteps && steps <= maxSteps) return composed
  }
  throw new ShaketableError('usage', `No script of the setting '${setting.name}' has a goal within its steps.`)
}

function draw(setting: Setting, random: Random): ComposedScript | undefined {
  const world = drawWorld(setting, random)
  const actions = drawActions(world, setting.indoors, random)
  const goals = drawGoals(world, actions, random)
  if (goals === undefined) return undefined
  const rename = drawSlotNames(random)
  const available = random.shuffle([...actions.values()]).map(({ template, ...action }) => {
    const { slots, literals } = parseTemplate(template)
    return [
      rename(template),
      {
        'verification code': `^${literals.join('(.+)')}$`,
        parameters: Object.fromEntries(slots.map((slot) => [rename(`{${slot}}`).slice(1, -1), action.values[slot]!])),
        meaning: action.meaning,
        preconditions: action.preconditions.map(rename),
        effects: action.effects.map(rename),
        observation: rename(action.observation),
      },
    ] as const
  })
  const script = {
    Environment: environmentOf(world),
    Start: world.start,
    Goal: goals.text,
    'Completion Conditions': goals.conditions,
    'Available Actions': Object.fromEntries(available),
  }
  return { script, solution: goals.solution }
}

/** Draws other names for the slots of a script. */
function drawSlotNames(random: Random): (text: string) => string {
  const drawn = new Map(Object.entries(words().slots).map(([slot, names]) => [slot, random.pick(names)]))
  return (text) => printForm(text, (slot) => `{${drawn.get(slot) ?? slot}}`)
}

function environmentOf(world: World): Readonly<Record<string, unknown>> {
  const thing = (name: string): Readonly<Record<string, unknown>> => ({
    ...((world.states.get(name)?.length ?? 0) > 0 && { is: world.states.get(name) }),
    ...inside(name),
  })
  const inside = (holder: string): Readonly<Record<string, unknown>> =>
    Object.fromEntries([...world.holders].filter(([, at]) => at === holder).map(([name]) => [name, thing(name)]))
  return Object.fromEntries(world.places.map((place) => [place, inside(place)]))
}

/** A goal, and actions that reach it. */
interface Goals {
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

/**
 * Draws a goal of two to four parts. The first two are about different things, each of which takes two actions of its
 * own or more. Undefined where the world has too little for the parts that were drawn.
 */
function drawGoals(world: World, actions: ReadonlyMap<ActionKey, Action>, random: Random): Goals | undefined {
  const used = new Set<string>()
  const style = random.pick(words().goals)
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
      text: printForm(style.lie, { thing, at: at(target) }),
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
      text: printForm(isPlaced ? style.both : style.become, { thing, state: said, at: at(target) }),
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
    parts.push({ text: printForm(style.leave, { box }), conditions: [`${box} is closed`], reach: () => undefined })
    solution.close(box)
  }
  return {
    text: parts.map(({ text }) => sentence(text)).join(' '),
    conditions: parts.flatMap(({ conditions }) => conditions),
    solution: solution.steps,
  }
}

type Solution = ReturnType<typeof beginSolution>

/**
 * Plays a world in the simplest way, one part of its goal after the other, and collects the actions.
 * @param roomOf the place that anything is in at the start
 */
function beginSolution(world: World, actions: ReadonlyMap<ActionKey, Action>, roomOf: (name: string) => string) {
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

import { ShaketableError } from '../../core/errors.js'
import { parseTemplate, printForm } from '../../core/form.js'
import type { Random } from '../../core/random.js'
import type { Action, ActionKey, World, WorldWork } from './draw-world.js'
import { drawActions, drawWorld, sentence } from './draw-world.js'
import { type Setting, settings, withNumbers, words } from './settings.js'

const numberedShare = 0.5
/** Limits of the number of actions that reach the goal. */
const [minSteps, maxSteps] = [4, 20]
/** Nearly half of the draws are accepted, in no setting fewer than three in ten. */
const maxAttempts = 1000

/**
 * Draws a playable script without a model: a world that suits a persona by the words of its sentence, or any if none
 * suits. In about half of the worlds names have numbers. Every script can be solved in 4 to 20 steps. Equal personas
 * and streams give equal scripts.
 */
export function drawScript(persona: string, random: Random): unknown {
  const plain = random.pick(settingsFor(persona))
  const setting = random.next() < numberedShare ? withNumbers(plain, random) : plain
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const drawn = draw(setting, random)
    if (drawn !== undefined && drawn.steps >= minSteps && drawn.steps <= maxSteps) return drawn.script
  }
  throw new ShaketableError('usage', `No script of the setting '${setting.name}' has a goal within its steps.`)
}

/** The settings with the most words in a persona, in singular or plural; all if none has one. */
function settingsFor(persona: string): readonly Setting[] {
  const text = ` ${(persona.toLowerCase().match(/[a-z]+/g) ?? []).join(' ')} `
  const occurs = (word: string): boolean => ['', 's', 'es'].some((ending) => text.includes(` ${word}${ending} `))
  const scores = settings().map(({ words }) => words.filter(occurs).length)
  const best = Math.max(...scores)
  return settings().filter((_, index) => scores[index] === best)
}

function draw(setting: Setting, random: Random) {
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
  return { script, steps: goals.steps }
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

/** A part of a goal; `reach` plays it. */
interface SubGoal {
  readonly text: string
  readonly conditions: readonly string[]
  readonly reach: (player: Player) => void
}

/**
 * Draws a goal of two to four parts. The first two are about different things, each of which takes two actions of its
 * own or more. Undefined where the world has too little for the parts that were drawn.
 */
function drawGoals(world: World, actions: ReadonlyMap<ActionKey, Action>, random: Random) {
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
      reach: (player) => player.put(thing, target),
    }
  }
  const fetch = (): SubGoal | undefined =>
    place(world.items.filter((thing) => world.states.get(world.holders.get(thing)!)?.includes('closed')))
  const treat = (): SubGoal | undefined => {
    const [work] = random.shuffle(world.works.filter(({ kind }) => kind === 'at' || kind === 'with'))
    if (work === undefined) return undefined
    const { state, removes, wanted } = work
    const [thing] = free(work.things).filter((candidate) => !removes || world.states.get(candidate)?.includes(state!))
    const target = thing === undefined ? undefined : drawTarget(thing)
    if (thing === undefined || target === undefined) return undefined
    used.add(thing)
    const result = (wanted ?? state)!
    const sentence = `${removes ? 'no longer ' : ''}${result}`
    const isPlaced = work.kind === 'with' || random.next() < 0.5
    return {
      text: printForm(isPlaced ? style.both : style.become, { thing, state: sentence, at: at(target) }),
      conditions: [`${removes ? 'not ' : ''}${thing} is ${result}`, ...(isPlaced ? [`${thing} in ${target}`] : [])],
      reach: (player) => {
        player.treat(work, thing)
        if (isPlaced) player.put(thing, target)
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
      reach: (player) => {
        player.join(thing, base)
        if (isPlaced) player.put(base, target)
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
      reach: (player) => player.prepare(work),
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
  const player = createPlayer(world, roomOf)
  for (const { reach } of parts) reach(player)
  const box = player.openBoxes()[0]
  if (parts.length < 4 && actions.has('close') && box !== undefined && random.next() < 0.6) {
    parts.push({ text: printForm(style.leave, { box }), conditions: [`${box} is closed`], reach: () => undefined })
    player.close(box)
  }
  return {
    text: parts.map(({ text }) => sentence(text)).join(' '),
    conditions: parts.flatMap(({ conditions }) => conditions),
    /** Actions that reach it. */
    steps: player.steps(),
  }
}

type Player = ReturnType<typeof createPlayer>

/**
 * Plays a world in the simplest way, one part of its goal after the other, and counts the actions.
 * @param roomOf the place that anything is in at the start
 */
function createPlayer(world: World, roomOf: (name: string) => string) {
  const held = new Set<string>()
  const closed = new Set(world.boxes.filter((box) => world.states.get(box)?.includes('closed')))
  const locked = new Set(world.boxes.filter((box) => world.states.get(box)?.includes('locked')))
  const ready = new Set<string>()
  let room = world.start
  let steps = 0

  const go = (name: string): void => {
    if (held.has(name) || roomOf(name) === room) return
    room = roomOf(name)
    steps++
  }
  const open = (box: string): void => {
    if (locked.delete(box)) {
      hold(world.key!)
      go(box)
      steps++
    }
    go(box)
    if (closed.delete(box)) steps++
  }
  const reach = (thing: string): void => {
    if (!held.has(thing)) open(world.holders.get(thing)!)
  }
  const hold = (thing: string): void => {
    if (held.has(thing)) return
    reach(thing)
    steps++
    held.add(thing)
  }
  const prepare = ({ tool }: WorldWork): void => {
    if (ready.has(tool!)) return
    go(tool!)
    steps++
    ready.add(tool!)
  }
  return {
    steps: () => steps,
    openBoxes: () => world.boxes.filter((box) => !closed.has(box)),
    prepare,
    put(thing: string, holder: string): void {
      hold(thing)
      open(holder)
      steps++
    },
    treat({ kind, tool, needs }: WorldWork, thing: string): void {
      if (kind === 'with') {
        hold(tool!)
        reach(thing)
      } else {
        hold(thing)
        if (needs !== undefined) prepare(world.works.find((work) => work.kind === 'ready' && work.tool === tool)!)
        go(tool!)
      }
      steps++
    },
    join(thing: string, base: string): void {
      hold(thing)
      reach(base)
      steps++
    },
    close(box: string): void {
      go(box)
      steps++
    },
  }
}

import type { Exchange } from '../_layout.js'
import { accept, discover, doubt } from '../_lessons.js'
import type { Lessons } from '../_lessons.js'
import type { Chart } from './chart.js'
import { draw, emptyChart, walls } from './chart.js'
import type { Guess } from './locate.js'
import { locate } from './locate.js'
import type { Errand } from './mission.js'
import { isKind, isWanted } from './errands.js'
import { facedIn, formByOutcome, namedIn } from './outcome.js'
import type { Pose } from './place.js'
import { bearing, cellFrom, cellOf, moved, poseOn, start, strides } from './place.js'
import { formInList } from './prompt-forms.js'
import type { Sight, Sighting } from './sight.js'
import { readSight } from './sight.js'
import type { Kind } from './thing.js'
import { isSameName, readKind } from './thing.js'
import type { Form, Intent, Verb } from './words.js'
import { findIntent } from './words.js'

/** What is known on the way, from what was said and seen. */
export interface Trip {
  readonly chart: Chart
  /** The last look. */
  readonly sight: Sight
  readonly carrying: Kind | undefined
  readonly mission: readonly Errand[]
  /** How many errands of the mission are done. */
  readonly done: number
  /** How often the mission was done to the end and was not taken for done. */
  readonly round: number
  /** Cells of things that the current errand was tried on. */
  readonly tried: ReadonlySet<number>
  /** Cells of things and doors that can't be reached or opened as things stand. */
  readonly blocked: ReadonlySet<number>
  /** Cells of things that one was told outright not to go for: the world will not have it, as things stand. */
  readonly barred: ReadonlySet<number>
  readonly names: readonly string[]
  /** What was done last. */
  readonly last: Verb | undefined
  /** Turns in a row. */
  readonly turns: number
  readonly lessons: Lessons<Verb>
  /** Actions refused or without effect since something last changed. */
  readonly refused: readonly string[]
  readonly asked: boolean
  /** Possible actions that were listed then and make no sense. */
  readonly strange: readonly string[]
}

/** The beginning of a trip. */
export function setOut(opening: string, mission: readonly Errand[], lessons: Lessons<Verb>): Trip {
  const sight = readSight(opening)
  return {
    chart: draw(emptyChart, start, sight),
    sight,
    carrying: kindCarried(sight),
    mission,
    done: 0,
    round: 0,
    tried: new Set(),
    blocked: new Set(),
    barred: new Set(),
    names: sight.things.map(({ name }) => name),
    last: undefined,
    turns: 0,
    lessons,
    refused: [],
    asked: false,
    strange: [],
  }
}

const kindCarried = ({ carrying }: Sight): Kind | undefined => (carrying === undefined ? undefined : readKind(carrying))

const mostNames = 100

/** The trip after an action and what came of it. */
export function after(trip: Trip, { action, observation }: Exchange, forms: readonly Form[]): Trip {
  const sight = readSight(observation)
  const { lessons } = trip
  if (sight.commands.length > 0) return hearCommands(trip, action, sight.commands, forms)
  const intent = findIntent(action, [...lessons.learned, ...forms])
  if (sight.refused || sight.denied) {
    const refused = [...trip.refused, action]
    if (intent === undefined) return { ...trip, refused }
    if (sight.refused && !lessons.accepted.includes(intent.form.template)) {
      return { ...trip, refused, lessons: doubt(lessons, intent.form.template) }
    }
    return {
      ...afterDenial(trip, intent, sight.refused),
      refused,
      lessons: sight.denied ? accept(lessons, intent.form.template) : lessons,
    }
  }
  if (intent !== undefined)
    return look({ ...trip, lessons: accept(lessons, intent.form.template) }, intent, action, sight)
  const form = formByOutcome(action, trip.sight, sight)
  const tried = { ...trip, strange: trip.strange.filter((command) => command !== action) }
  if (form === undefined) return look(tried, undefined, action, sight)
  const name = namedIn(action, [...trip.sight.things, ...sight.things])?.name
  const meant = { verb: form.verb, ...(name !== undefined && { name }) }
  return look({ ...tried, lessons: discover(lessons, form) }, meant, action, sight)
}

function hearCommands(trip: Trip, action: string, commands: readonly string[], forms: readonly Form[]): Trip {
  const known = [...trip.lessons.learned, ...forms]
  const learned = [...trip.lessons.learned]
  const listed = new Set<string>()
  const strange: string[] = []
  for (const command of commands) {
    const meant = findIntent(command, known)
    const found = meant === undefined ? formInList(command, trip.names) : [meant.form]
    if (found.length === 0) strange.push(command)
    for (const form of found) {
      listed.add(form.template)
      if (meant === undefined && !learned.some(({ template }) => template === form.template)) learned.push(form)
    }
  }
  const refused = trip.lessons.refused.filter((template) => !listed.has(template))
  const lessons = { ...trip.lessons, learned, refused }
  return { ...trip, asked: true, strange, lessons, refused: [...trip.refused, action] }
}

/** What was understood and can't be done: the thing can't be reached, or the door can't be opened, as things stand. */
function afterDenial(trip: Trip, { verb, name }: Intent, isOutright: boolean): Trip {
  const thing = name === undefined ? undefined : thingNamed(trip.sight, name)
  if (thing === undefined) {
    if (verb !== 'forward') return trip
    return { ...trip, blocked: new Set([...trip.blocked, cellFrom(trip.chart.pose, 1, 0)]) }
  }
  const cell = cellFrom(trip.chart.pose, thing.ahead, thing.aside)
  const barred = isOutright && verb === 'go' ? new Set([...trip.barred, cell]) : trip.barred
  return { ...trip, blocked: new Set([...trip.blocked, cell]), barred }
}

const thingNamed = ({ things }: Sight, name: string): Sighting | undefined =>
  things.find((one) => isSameName(one.name, name))

/** The trip after an action that led to a new look around. */
function look(trip: Trip, intent: Intent | undefined, action: string, sight: Sight): Trip {
  const found = intent?.name === undefined ? undefined : thingNamed(trip.sight, intent.name)
  const guesses = guess(trip, intent?.verb, found, sight)
  const chart = removeTaken(trip, intent, found)
  const pose =
    guesses.length === 1 ? guesses[0]!.pose : (locate(chart, guesses, sight) ?? locate(chart, everywhere(chart), sight))
  const isLost = pose === undefined
  const drawn = isLost ? draw(emptyChart, start, sight) : draw(chart, pose, sight)
  const carrying = kindCarried(sight)
  const isTurn = intent?.verb === 'left' || intent?.verb === 'right'
  const isSameView = !isLost && !isTurn && isSameSight(sight, trip.sight)
  const names = sight.things.map(({ name }) => name).filter((name) => !trip.names.includes(name))
  const next: Trip = {
    ...trip,
    chart: drawn,
    sight,
    carrying,
    last: intent?.verb,
    turns: isTurn ? trip.turns + 1 : 0,
    names: [...trip.names, ...names].slice(-mostNames),
    ...(isLost && { tried: new Set<number>() }),
    ...(isSameView ? { refused: [...trip.refused, action] } : { refused: [], asked: false, strange: [] }),
    ...(isCleared(trip, carrying, intent?.verb) && { blocked: new Set<number>(), barred: new Set<number>() }),
  }
  const isCut = intent?.verb === 'go' && found !== undefined && !isFaced(sight, found)
  if (!isCut) return progress(next, trip, intent)
  const cell = cellFrom(trip.chart.pose, found.ahead, found.aside)
  return { ...next, blocked: new Set([...next.blocked, cell]) }
}

/** Whether ways may be open now that were not. */
function isCleared(trip: Trip, carrying: Kind | undefined, verb: Verb | undefined): boolean {
  return (carrying === undefined) !== (trip.carrying === undefined) || verb === 'through' || verb === 'unlock'
}

function isSameSight(one: Sight, other: Sight): boolean {
  return (
    one.carrying === other.carrying &&
    one.wall === other.wall &&
    one.things.length === other.things.length &&
    one.things.every(({ name, ahead, aside }, index) => {
      const thing = other.things[index]!
      return thing.name === name && thing.ahead === ahead && thing.aside === aside
    })
  )
}

function removeTaken({ chart, sight }: Trip, intent: Intent | undefined, thing: Sighting | undefined): Chart {
  if (intent?.verb !== 'take' || thing === undefined) return chart
  const { pose, things } = chart
  const rest = new Map(things)
  rest.delete(cellFrom(pose, thing.ahead, thing.aside))
  return { ...chart, things: sight.carrying === undefined ? rest : things }
}

/** Where one may stand after an action. */
function guess(
  { chart, sight: before }: Trip,
  verb: Verb | undefined,
  thing: Sighting | undefined,
  sight: Sight,
): readonly Guess[] {
  const { pose } = chart
  if (verb === 'left' || verb === 'right') return [{ pose: moved(pose, verb === 'left' ? 3 : 1, 0), prior: 0 }]
  if (verb === 'drop' || verb === 'toggle') return [{ pose, prior: 0 }]
  if (verb === 'forward') {
    if (isSameSight(before, sight)) return [{ pose, prior: 0 }]
    return [
      { pose: moved(pose, 0, 1), prior: 2 },
      { pose, prior: 0 },
    ]
  }
  if (thing === undefined || verb === undefined) return everywhere(chart)
  const cell = cellFrom(pose, thing.ahead, thing.aside)
  const isOnto = verb === 'through' || verb === 'unlock'
  const isThere = isOnto || verb === 'take' || isFaced(sight, thing)
  const isWall = walls(chart)
  const found = [0, 1, 2, 3].map((heading): Guess => {
    const before = cell - strides[heading]!
    const isStood = before === cellOf(pose.x, pose.y)
    const isTaken = !isStood && (isWall[before] === 1 || chart.things.has(before))
    const last = poseOn(before, heading)
    return { pose: isOnto ? poseOn(cell, heading) : last, prior: priorOf(pose, last, thing) - (isTaken ? 8 : 0) }
  })
  return isThere
    ? found
    : [...found.map(({ pose: end, prior }) => ({ pose: end, prior: prior - 6 })), ...everywhere(chart)]
}

function isFaced(sight: Sight, thing: Sighting): boolean {
  const faced = facedIn(sight)?.kind
  return faced?.type === thing.kind.type && faced.colour === thing.kind.colour
}

/** Of two ways to stand before a thing the shorter one is taken, and straight on before turning. */
function priorOf(pose: Pose, end: Pose, { ahead, aside }: Sighting): number {
  const turn = (end.heading - pose.heading) & 3
  const there = bearing(pose, cellOf(end.x, end.y))
  const steps = Math.abs(there.ahead) + Math.abs(there.aside)
  const turns = turn === 0 ? (there.aside === 0 ? 0 : 2) : turn === 2 ? 2 : 1
  const isBehind = there.ahead < 0 ? 3 : 0
  return 2 - (steps + turns - Math.abs(ahead) - Math.abs(aside)) * 0.7 - isBehind
}

/** Anywhere near, where there is nothing else to go by. */
function everywhere({ pose }: Chart): readonly Guess[] {
  const guesses: Guess[] = []
  for (let x = pose.x - 6; x <= pose.x + 6; x++) {
    for (let y = pose.y - 6; y <= pose.y + 6; y++) {
      const far = Math.abs(x - pose.x) + Math.abs(y - pose.y)
      for (let heading = 0; heading < 4; heading++) guesses.push({ pose: { x, y, heading }, prior: -3 - far * 0.2 })
    }
  }
  return guesses
}

/** Notes what was done of the mission. */
function progress(trip: Trip, before: Trip, intent: Intent | undefined): Trip {
  const errand = trip.mission[trip.done]
  if (errand === undefined) return trip
  const faced = facedIn(trip.sight)
  const cell = cellFrom(trip.chart.pose, 1, 0)
  const isRight = faced !== undefined && isWanted(trip.chart, cell, errand.thing)
  let isDone = false
  if (errand.deed === 'go') isDone = isRight && !trip.tried.has(cell)
  if (errand.deed === 'take') {
    isDone = before.carrying === undefined && trip.carrying !== undefined && isKind(trip.carrying, errand.thing)
  }
  if (errand.deed === 'open') {
    isDone = isRight && intent?.verb === 'toggle' && faced.kind.state === 'open'
  }
  if (errand.deed === 'put') {
    isDone =
      intent?.verb === 'drop' &&
      trip.carrying === undefined &&
      before.carrying !== undefined &&
      isKind(before.carrying, errand.thing)
  }
  if (!isDone) return trip
  const tried = new Set([...trip.tried, cell])
  if (trip.done + 1 < trip.mission.length) return { ...trip, done: trip.done + 1, tried }
  return { ...trip, done: 0, round: trip.round + 1, tried, mission: [...trip.mission].reverse() }
}

import { ShaketableError } from '../../core/errors.js'
import { printForm } from '../../core/form.js'
import type { Model } from '../../core/model.js'
import { type Random, createRandom } from '../../core/random.js'
import { type DungeonMasterTurn, type ScriptedTurn, errorsOf, masterTurn } from '../verify/turn.js'
import { mentions } from '../verify/verify-trajectory.js'
import { type ScriptGame, beginScript } from '../../environments/scripted/game.js'
import { type PlayableScript, readPlayable } from '../../environments/scripted/read-playable.js'
import { drawScript } from './draw-script.js'
import { words } from './settings.js'
import { type AskedTurns, askedTurnsIn, personaIn } from './prompts.js'

/** Changes whenever the teacher would write something else. */
const version = 1

/**
 * A control model that answers the requests of a synthesis without weights: it draws scripts from tables, and plays
 * them by the planner's solution with mistakes and corrections. It answers nothing else.
 */
export const teacher: Model = {
  name: 'teacher',
  settings: { teacher: version },
  complete(messages, { seed }) {
    const persona = personaIn(messages)
    if (persona !== undefined) return reply(drawScript(persona, createRandom(`script ${String(seed)} ${persona}`)))
    const asked = askedTurnsIn(messages)
    if (asked === undefined) {
      throw new ShaketableError('usage', 'The model teacher answers only the requests of shaketable data synthesise.')
    }
    const script = readPlayable(asked.source)
    const game = beginScript(script)
    for (const turn of asked.turns) if (turn.role === 'Player') game.step(turn.Action)
    const random = createRandom(`turns ${String(seed)} ${JSON.stringify(asked.source)} ${String(asked.turns.length)}`)
    return reply(turnsFor(asked, script, game, random))
  },
}

function reply(value: unknown) {
  return { text: JSON.stringify(value), finish: 'stop' as const }
}

function turnsFor(asked: AskedTurns, script: PlayableScript, game: ScriptGame, random: Random): unknown {
  const turns: ScriptedTurn[] = [...asked.turns]
  const explorer = createExplorer(script, turns)
  const early = Math.max(asked.mistakes, Math.floor(earlyShare * explorer.plan(game).length))
  const places = new Set(random.shuffle(Array.from({ length: early }, (_, at) => at)).slice(0, asked.mistakes))
  let owed = 0
  for (let [at, won] = [0, false]; !won && at < maxActions; at++) {
    const plan = explorer.plan(game)
    const [action] = plan
    if (action === undefined) break
    if (places.has(at)) owed++
    const mistake = owed > 0 ? drawMistake(game, script, plan, random) : undefined
    for (const turnAction of mistake === undefined ? [action] : [mistake, action]) {
      turns.push(player(turns, turnAction, turnAction === mistake, random))
      const answered = answer(game, turnAction, turns.length)
      turns.push(answered)
      explorer.see(turnAction, answered.Observation)
      won = answered.Observation.endsWith(success)
    }
    if (mistake !== undefined) owed--
  }
  return turns.slice(asked.turns.length)
}

/** Ends a trajectory whose goal is out of reach, which verification then refuses. */
const maxActions = 100
/** Mistakes are made in this share of the steps, since the last ones may come sooner than planned. */
const earlyShare = 0.7
const success = 'Task Succeed'

type Effect = PlayableScript['rules']['actions'][number]['effects'][number]

/**
 * Plans as someone who knows only what was observed: while a thing that the solution needs was not seen yet, boxes in
 * sight are opened and places visited, in the order in which they were told.
 */
function createExplorer(script: PlayableScript, turns: readonly ScriptedTurn[]) {
  let seen = ''
  const visited = new Set<string>()
  const tried = new Set<string>()
  const explorer = {
    see(action: string, observation: string): void {
      // The goal names things that were not seen.
      seen += ` ${observation.replace(script.goal, '')}`
      tried.add(action)
      for (const place of script.places) if (observation.includes(`You are in the ${place}.`)) visited.add(place)
    },
    plan(game: ScriptGame): readonly string[] {
      const plan = game.solve() ?? []
      const isHidden = script.things.some(
        (thing) => !mentions(seen, thing) && plan.some((action) => mentions(action, thing)),
      )
      const [next] = plan
      if (next === undefined || !isHidden) return plan
      const possible = new Set(game.admissible())
      const { rules } = script
      const firstOf = (wanted: (effect: Effect) => boolean): string | undefined =>
        rules.actions.find(({ text, effects }) => possible.has(text) && effects.some(wanted) && !tried.has(text))?.text
      const closed = [...rules.closed.values()]
      const opening = firstOf(({ flag, positive }) => !positive && closed.includes(flag))
      const moves = ({ thing }: Effect): boolean => thing === rules.player
      const isMove = rules.byText.get(next)?.effects.some(moves) === true
      const move = isMove ? firstOf((fact) => moves(fact) && !visited.has(rules.names[fact.holder]!)) : undefined
      const first = opening ?? move
      return first === undefined || first === next ? plan : [first, ...plan]
    },
  }
  for (const [place, turn] of turns.entries()) {
    const before = turns[place - 1]
    if (turn.role === 'DM') explorer.see(before?.role === 'Player' ? before.Action : '', turn.Observation)
  }
  return explorer
}

function answer(game: ScriptGame, action: string, turn: number): DungeonMasterTurn {
  const { observation, error, won } = game.step(action)
  const thought = error === undefined ? 'This is possible.' : `This is a ${error.replace('_', ' ')}.`
  return masterTurn(turn, won ? `${observation}\n${success}` : observation, error, thought)
}

/** An action that the world refuses now: in other words, with another name, or a later step of the plan. */
function drawMistake(
  game: ScriptGame,
  script: PlayableScript,
  plan: readonly string[],
  random: Random,
): string | undefined {
  const [right = ''] = plan
  const names = [...script.things, ...script.places].filter((name) => right.includes(name))
  const makers: readonly (() => string)[] = [
    () => right.replace(/^\S+/, random.pick(words().mistakenVerbs)),
    () => (names.length === 0 ? '' : right.replace(random.pick(names), random.pick(script.things))),
    () => (plan.length < 2 ? '' : random.pick(plan.slice(1, 6))),
  ]
  for (const make of random.shuffle([...makers, ...makers])) {
    const action = make()
    if (action !== '' && action !== right && game.check(action) !== undefined) return action
  }
  return undefined
}

function player(before: readonly ScriptedTurn[], action: string, isMistake: boolean, random: Random): ScriptedTurn {
  const [error] = errorsOf(before.at(-1))
  const thoughts = words().thoughts[isMistake ? 'hasty' : (error ?? 'steady')]
  return { turn: before.length, role: 'Player', Thought: printForm(random.pick(thoughts), { action }), Action: action }
}

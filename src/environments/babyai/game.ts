import type { Text } from '../../core/text.js'
import type { TurnDefinition } from '../../define/world.js'
import { pythonStrip } from '../python-strip.js'
import { type Moves, checkValidActions, findMoves } from './moves.js'
import type { Progress } from './progress.js'
import { heldName, readView, runPath, wordSight } from './sight.js'
import type { MadeLevel, Simulation } from './simulator/simulation.js'

/** The result of an action in the text game; `understood` is AgentBoard's `action_is_valid`. */
type Answer = Required<TurnDefinition> & { readonly observation: Text }

/** Normalises an action as the game does: lower case, no white space at the ends. */
export function tidy(action: string): string {
  return pythonStrip(action.toLowerCase())
}

const unknown: Text = ['The action is not recognized. Please ', { command: checkValidActions }, '.']
const unchanged: Text = ['No change in state.']
const completed = '\n The task is completed.'

/**
 * AgentBoard's `babyai_env.py`. An action that needs no step (going to what the agent already faces) is as valid as the
 * previous action; the steps of an action continue after the task has ended, and only the last one counts; an end at
 * progress 0.5 or less is announced and then ignored.
 */
export function createTextGame(level: MadeLevel, progressOf: (simulation: Simulation) => Progress) {
  const simulation = level.start()
  const { board } = simulation
  const measure = progressOf(simulation)
  let sight = readView(board, simulation.view())
  let moves: Moves | undefined
  let progress = 0
  let wasUnderstood = false

  const movesNow = (): Moves => (moves ??= findMoves(board, sight))
  const answer = (observation: Text, understood: boolean, ended: Answer['ended'] = false): Answer => {
    wasUnderstood = understood
    return { observation, understood, progress, ended }
  }
  const act = (path: readonly number[]): Answer => {
    const { verdict } = runPath(simulation, path)
    sight = readView(board, simulation.view())
    moves = undefined
    let observation = wordSight(sight, heldName(board))
    if (verdict !== 'continue') observation += completed
    progress = Math.max(progress, measure.record(observation))
    let isDone = verdict !== 'continue' && progress > 0.5
    if (progress === 1 && !isDone) {
      isDone = true
      observation += completed
    }
    return answer([observation], true, isDone && 'success')
  }
  return {
    simulation,
    opening: wordSight(sight, heldName(board)),
    moves: movesNow,
    step(text: string): Answer {
      const action = tidy(text)
      const { possible, refusals } = movesNow()
      if (action.includes('check')) {
        return answer(['You can take the following actions: ', { list: [...possible.keys()] }], true)
      }
      if (action === '') return answer(unchanged, false)
      const path = possible.get(action)
      if (path === undefined) return answer(refusals.get(action) ?? unknown, false)
      if (path.length === 0) return answer(unchanged, wasUnderstood)
      return act(path)
    },
  }
}

/** A level as AgentBoard's text wrapper plays it. */
export type TextGame = ReturnType<typeof createTextGame>

import { ShaketableError } from '../../../core/errors.js'
import { applyAction, goalHolds, groundAction, isApplicable } from '../../pddl/play.js'
import type { GroundAction } from '../../pddl/task.js'
import type { Engine } from '../engine/engine.js'
import type { PlanStep } from './shortest-steps.js'
import { needsOpen, readAim, shortestSteps } from './shortest-steps.js'
import type { View } from './view.js'
import { viewOf } from './view.js'

/**
 * A shortest solution of a household game from its current state, as commands in the game's own wording: empty where
 * the game is won, undefined where it can no longer be won (the agent holds an object that fits nowhere) or its goal is
 * none of ALFWorld's six kinds. It plans on the state of the game and does not use a walkthrough.
 * @throws ShaketableError `environment` where the game's domain differs from ALFWorld's
 */
export function solveHousehold(engine: Engine): readonly string[] | undefined {
  if (engine.won) return []
  const { task } = engine.game
  const aim = readAim(task.problem.goal)
  if (aim === undefined) return undefined
  const view = viewOf(engine)
  const steps = shortestSteps(view, aim, task)
  return steps && carryOut(engine, view, steps)
}

/** Executes the steps on a copy of the state until the goal holds. */
function carryOut(engine: Engine, view: View, steps: readonly PlanStep[]): readonly string[] {
  const { task } = engine.game
  const facts = engine.facts.clone()
  const commands: string[] = []
  /** @returns whether the goal holds now. */
  const act = (name: string, binding: Readonly<Record<string, number | undefined>>): boolean => {
    const ground = bind(engine, name, binding)
    if (ground === undefined || !isApplicable(ground, facts)) throw unexpected(engine, name)
    applyAction(task, ground, facts)
    commands.push(engine.commandOf(ground))
    return goalHolds(task, facts)
  }
  const a = view.agent
  const opened = new Set<number>()
  let l = view.location
  for (const step of steps) {
    const { object: o, spot } = step
    const r = spot.receptacle
    if (l !== spot.location) {
      if (act('gotolocation', { a, lstart: l, lend: spot.location, r })) return commands
      l = spot.location
    }
    if (needsOpen(step) && spot.closed && !opened.has(r)) {
      if (act('openobject', { a, l, r })) return commands
      opened.add(r)
    }
    if (step.kind === 'arrive') continue
    if (act(actionOf(engine, step), { a, l, o, r, ot: view.typeOf(o), rt: spot.type })) return commands
  }
  throw unexpected(engine, 'goal')
}

function actionOf(engine: Engine, { kind, spot }: PlanStep): string {
  switch (kind) {
    case 'take':
      return 'pickupobject'
    case 'put':
      return 'putobject'
    case 'use':
    case 'arrive':
      return 'toggleobject'
    case 'change': {
      const type = engine.game.task.objects[spot.type]
      return type === 'microwavetype' ? 'heatobject' : type === 'fridgetype' ? 'coolobject' : 'cleanobject'
    }
  }
}

/** A ground action with its arguments by the parameters' names. */
function bind(
  { game: { task } }: Engine,
  name: string,
  binding: Readonly<Record<string, number | undefined>>,
): GroundAction | undefined {
  const action = task.actions.find((candidate) => candidate.name === name)
  if (action === undefined) return undefined
  const objects = action.normal.schema.parameters.map((parameter) => binding[parameter.name.slice(1)] ?? -1)
  return groundAction(task, action, objects)
}

function unexpected({ game }: Engine, what: string): ShaketableError {
  return new ShaketableError(
    'environment',
    `Expected the household domain to act as ALFWorld's, but '${what}' of ${game.task.problem.source.where} does not. Use one of ALFWorld's games or one that shaketable exported.`,
  )
}

import type { Step, Trajectory } from '../../../src/core/episode.js'
import type { Plan, StoredRun } from '../../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'

/** An understood step; `more` changes its fields. */
export function makeStep(action: string, more: Partial<Step> = {}): Step {
  return { action, observation: `You did: ${action}.`, progress: 0, understood: true, ...more }
}

/** A step in the old wording that a perturbation refused. */
export function refusedStep(action: string): Step {
  return makeStep(action, { command: null, understood: false, memorised: true, observation: 'Nothing happens.' })
}

/**
 * The trajectory of an episode of {@link runWithTrajectories}: under a perturbation the parrot's action is refused, and
 * the reader uses the new wording.
 */
export function trajectoryOf(condition: string, model: string, task: string): Trajectory {
  const opening = { observation: `You are in a room with ${task}.` }
  const prompt = [
    { role: 'system' as const, content: `Play the game under ${condition}.` },
    { role: 'user' as const, content: opening.observation },
  ]
  const look = makeStep('look', { reply: 'Thought: I look first.\nAction: look' })
  const clean = 'take mug 1 from desk 1'
  const last = { progress: 1, observation: 'You pick up the mug 1.' }
  if (condition !== 'agentrefine-1') return { prompt, opening, steps: [look, makeStep(clean, last)] }
  if (model === 'parrot') return { prompt, opening, steps: [look, refusedStep(clean), refusedStep(clean)] }
  const reworded = makeStep('from desk 1 take mug 1', {
    command: clean,
    ...last,
    observation: 'The mug 1 is yours.',
    original: last.observation,
  })
  return { prompt, opening, steps: [look, reworded] }
}

/** A run in which the parrot fails under `agentrefine-1` and nothing else does, with trajectories. */
export function runWithTrajectories(plan: Plan = makePlan({})): StoredRun {
  const trajectories = new Map<string, Trajectory>()
  const run = makeRun(plan, (at) => {
    const trajectory = trajectoryOf(at.condition, at.model, at.task)
    trajectories.set(at.key, trajectory)
    const { steps } = trajectory
    const memorised = steps.filter((step) => step.memorised).length
    const measures = {
      steps: steps.length,
      understood: steps.length - memorised,
      memorised,
      repeats: memorised > 0 ? 1 : 0,
    }
    return memorised > 0 ? makeRow(at, 'step-limit', 0, measures) : makeRow(at, 'success', 1, measures)
  })
  return {
    ...run,
    trajectories: (keys) => new Map([...trajectories].filter(([key]) => keys.includes(key))),
  }
}

import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun, noDose, taskId } from './fixture.js'

/**
 * Two models, three conditions, two temperatures (beside `|`), three seeds, four tasks; a letter is an episode: s
 * success, h and q progress of a half and a quarter, 0 none, x broken, a dot not played.
 */
const played: Record<string, Record<string, string>> = {
  reader: {
    none: 'ssh0 sss0 ssq0 | sshs s0s0 ssxq',
    placebo: 'ssh0 sss0 ssqs | sshs s0s0 sssq',
    'agentrefine-1': 'sshs s0s0 ssq0 | qshs sss0 s.sq',
  },
  parrot: {
    none: 'ssss ssss sss0 | ssss sssh sss0',
    placebo: 'ssss ssss sss0 | ssss sssh sss0',
    'agentrefine-1': '0qhs 0q0s s000 | 00hs xqhh 00s0',
  },
}
const progressOf: Record<string, number> = { s: 1, h: 0.5, q: 0.25, '0': 0, x: 0 }

/** The run; under `agentrefine-1` the last task is left unchanged, under `placebo` every task. */
export function workedExample(): StoredRun {
  const plan = makePlan({})
  return makeRun(plan, (at) => {
    const seeds = played[at.model]![at.condition]!.split(' | ')[plan.temperatures.indexOf(at.temperature)]!.split(' ')
    const letter = seeds[at.seed - 1]![Number(at.task.slice('task-'.length))]!
    if (letter === '.') return undefined
    const outcome = letter === 's' ? 'success' : letter === 'x' ? 'model-error' : 'step-limit'
    const row = makeRow(at, outcome, progressOf[letter]!)
    const isUnchanged = at.condition === 'placebo' || (at.condition === 'agentrefine-1' && at.task === taskId(3))
    return isUnchanged ? { ...row, dose: noDose } : row
  })
}

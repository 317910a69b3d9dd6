import { definePerturbation, withDose } from '../src/define.js'

/**
 * Another step limit. No prompt states the limit, so on the same trajectory a task that is solved within the smaller
 * limit is solved within the larger one.
 */
export default definePerturbation({
  name: 'step-budget',
  summary: 'another step limit: half, three quarters, one and a half times or twice as many steps',
  source: 'this testbed',
  promise: 'harder',
  touches: 'transition',
  promises: { 'factor=1': 'identity', 'factor=1.5': 'easier', 'factor=2': 'easier' },
  options: { factor: ['0.5', '0.75', '1', '1.5', '2'] },
  open({ options }) {
    const factor = Number(options['factor'])
    return {
      wrap(world) {
        let changed = 0
        const stepLimit = (steps: number): number => {
          const before = world.stepLimit?.(steps) ?? steps
          const limit = Math.max(1, Math.round(factor * before))
          changed = Math.abs(limit - before)
          return limit
        }
        return withDose({ ...world, stepLimit }, () => ({ steps: changed }))
      },
    }
  },
})

import { expect, it } from 'vitest'
import behaviour from '../../reports/tables/behaviour.js'
import type { Measures } from '../../src/core/episode.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

const quiet = { promptTokens: 0, completionTokens: 0 }

function runWith(measured: (seed: number) => Partial<Measures>): StoredRun {
  const plan = makePlan({ columns: ['none'], models: ['m'], temperatures: [0], seeds: [1, 2] })
  return makeRun(plan, (at) => makeRow(at, 'failure', 0, { ...quiet, ...measured(at.seed) }))
}

const markdown = (run: StoredRun): string => [...behaviour.render(run)][0]!.text

it('is absent if there is nothing to report on replies and calls', () => {
  expect(markdown(runWith(() => ({})))).not.toContain('Replies and calls')
})

it('distinguishes incomplete replies from format errors', () => {
  const text = markdown(runWith((seed) => (seed === 1 ? { formatErrors: 1, faults: { empty: 2, length: 3 } } : {})))
  expect(text).toContain('| Model | Column | Empty | Cut off |\n')
  expect(text).toContain('| m | none | 10.0 | 15.0 |\n')
  expect(text).toMatch(/\| Format \|/)
  expect(text).not.toContain('Tokens in and out')
})

it('has a column for each figure of the run', () => {
  const text = markdown(
    runWith((seed) => ({ attempts: 10 + seed, promptTokens: 100, completionTokens: 7, cut: seed - 1 })),
  )
  expect(text).toContain('| Model | Column | Tokens in | Tokens out | History cut |\n')
  expect(text).toContain('| m | none | 100.0 | 7.0 | 0.5 |\n')
  expect(markdown(runWith(() => ({ attempts: 10 })))).not.toContain('Replies and calls')
})

import { describe, expect, it } from 'vitest'
import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { describeEnvironment, describeNoLeaks, describePerturbations, outcomes } from './describe.js'

/** Families have a test of their own, which plays the first script. */
const isFamily = (one: (typeof all)[number]): boolean => one.environment === undefined && one.name !== 'placebo'
const perturbations = all.filter((one) => !isFamily(one))
const families = all.filter((one) => isFamily(one) && !one.takesColumn && !one.enlarges)

/** Of those made for other environments: one joins a name and its number, one has another word for `go to`. */
const changing = /^(?:agentrefine-4|scienceworld-2)$/

const environment = await openEnvironment('scripted')
const samples = environment.tasks.map((task) => ({ label: task.id, environment, tasks: [task] }))
for (const one of samples) describeEnvironment(one)
describePerturbations(perturbations, samples.slice(0, 1), changing)
describeNoLeaks(perturbations, samples.slice(0, 1))

describe.each(samples.slice(1).map((sample) => [sample.label, sample] as const))('every family on %s', (_, sample) => {
  it.each(families.map((one) => [one.name, one] as const))('keeps its promise: %s', async (_, perturbation) => {
    const seen = await outcomes(sample, [{ perturbation }])
    expect(seen.filter((one) => one !== 'holds' && one !== 'unchanged')).toEqual([])
  })
})

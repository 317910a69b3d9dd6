import { describe, expect, it } from 'vitest'
import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { parseColumn } from '../../src/run/columns.js'
import { fakeJava, makeJar } from '../environments/scienceworld/fake.js'
import { scratchFolder } from '../scratch.js'
import { describeNoLeaks, describePerturbations, outcomes } from './describe.js'

const perturbations = all.filter(({ environment, name }) => environment === 'scienceworld' || name === 'placebo')
const environment = await openEnvironment('scienceworld', { jar: makeJar(scratchFolder()), java: fakeJava })
const tasks = ['find-living-thing/225', 'grow-plant/0'].map((id) => environment.find(id))
const sample = { label: 'recorded episodes', environment, tasks }

describePerturbations(perturbations, [sample], /^scienceworld-/)
describeNoLeaks(perturbations, [sample])

const families =
  'synonyms symbols:intensity=0.5 pseudo-verbs swapped-verbs argument-order call-syntax letter-case typos distractor-text observation-paraphrase examples layout'
describe('families on ScienceWorld', () => {
  it.each(families.split(' '))('keep their promises: %s', async (text) => {
    const seen = await outcomes(sample, parseColumn(text, all).applied)
    expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
  })
})

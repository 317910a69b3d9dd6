import { perturbations } from '../../perturbations/index.js'
import { createToy } from '../toy-environment.js'
import type { Sample } from './describe.js'
import { describeEnvironment, describePerturbations } from './describe.js'

const samples = [
  { label: 'a toy of the old generation', environment: createToy() },
  { label: 'a toy of the new generation', environment: createToy({ generation: 'new' }) },
  { label: 'a toy that answers later', environment: createToy({ slow: true }) },
  { label: 'a toy without a planner', environment: createToy({ solvable: false }) },
].map((one): Sample => ({ ...one, tasks: one.environment.tasks }))

describePerturbations(perturbations, samples, /^(agentrefine|alfworld)-/)
for (const sample of samples) describeEnvironment(sample)

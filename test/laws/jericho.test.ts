import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { describeEnvironment, describeNoLeaks, describePerturbations } from './describe.js'

/** Families have a test of their own. */
const perturbations = all.filter(({ environment, name }) => environment === 'jericho' || name === 'placebo')

const environment = await openEnvironment('jericho')
const samples = [{ label: 'the embedded story', environment, tasks: environment.tasks }]
for (const one of samples) describeEnvironment(one)
describePerturbations(perturbations, samples, /^jericho-/)
describeNoLeaks(perturbations, samples)

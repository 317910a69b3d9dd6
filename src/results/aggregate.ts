import { type Plan, type StoredRun, hashOf } from '../define.js'
import { describeConditions, isAveraged } from './conditions.js'
import { describeDoseResponses } from './dose-responses.js'
import { identifyExperiment, panelHash } from './experiment.js'
import { describeGroups } from './group.js'
import { listNotices } from './notices.js'
import { listOmitted } from './omitted.js'
import { describeDraws, describeProfiles } from './profiles.js'
import { describeRankings, describeVariants } from './rankings.js'
import { type TalliedSubject, subjectsOf } from './subjects.js'
import { tallyRows } from './tallies.js'
import { describeTrainingCurves } from './training-curves.js'
import { headlinesOf } from './summary/headlines.js'
import { identityOf } from './summary/identity.js'
import type { Aggregate, AggregateCondition, Figures, Primary } from './schema.js'
import { holm } from '../statistics/index.js'
import { compareSets, touchedBy } from './differences.js'
import { byFamily } from './families.js'
import { defined } from './lists.js'

export type { Aggregate, AggregateCondition, Figures, Group, Scope } from './schema.js'

/**
 * Computes all figures of a run in one pass over its rows, in any order, with about 50 bytes for each planned episode.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function aggregate(run: StoredRun): Aggregate {
  const { plan } = run
  const tallies = tallyRows(run)
  const conditions = describeConditions(plan)
  const subjects = subjectsOf(plan, tallies, conditions)
  const groups = subjects.flatMap((subject) => describeGroups(plan, subject))
  const experiment = identifyExperiment(plan, tallies)
  const primary = describePrimary(plan, subjects, conditions)
  const curves = describeTrainingCurves(subjects, conditions, groups)
  const figures: Figures = {
    schema: 3,
    version: plan.version,
    plan: hashOf(plan, 12),
    experiment,
    notices: listNotices(run, experiment, groups, conditions, tallies),
    partial: run.writing === true || run.stopped !== undefined,
    ...(run.stopped !== undefined && { stopped: true }),
    ...defined({ name: run.name, controls: run.controls }),
    strays: tallies.strays,
    omitted: listOmitted(run, tallies.strays, conditions, groups),
    environments: plan.environments.map((environment) => {
      const { name, version, measure, tasks } = environment
      const panel = { hash: panelHash(environment), tasks }
      return { name, version, ...defined({ measure }), tasks: tasks.length, panel }
    }),
    conditions,
    ...{ models: plan.models, agents: plan.agents, temperatures: plan.temperatures, seeds: plan.seeds },
    ...{ stepLimit: plan.stepLimit, groups, ...defined({ primary }) },
    draws: describeDraws(subjects),
    profiles: describeProfiles(subjects, conditions),
    doseResponses: describeDoseResponses(subjects, conditions),
    ...(curves.length > 0 && { trainingCurves: curves }),
    rankings: describeRankings(plan, groups, tallies, conditions),
    variants: describeVariants(plan, subjects, conditions),
  }
  return { ...figures, headlines: headlinesOf(figures), identity: identityOf(figures) }
}

/**
 * Computes the primary endpoint of a plan; undefined for a plan without a clean condition or without one that changes
 * something. Draws of one perturbation count as one, their mean.
 */
function describePrimary(
  { primary }: Plan,
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
): Primary | undefined {
  const chosen = conditions.filter(
    (condition) => primary?.conditions?.includes(condition.label) ?? isAveraged(condition),
  )
  if (!conditions.some(({ clean }) => clean) || chosen.length === 0) return undefined
  const metric = primary?.metric ?? 'success'
  const changes = subjects.map((subject) => {
    const played = subject.conditions.filter((condition) => chosen.includes(condition))
    const compared = compareSets(
      subject.clean!,
      byFamily(played).map((draws) => draws.map(subject.find)),
    )
    const p = compared.tests?.[metric].p
    return { ...subject.names, touched: touchedBy(played.map(subject.find)), difference: compared[metric], p }
  })
  const adjusted = holm(changes.map(({ p }) => p ?? NaN))
  return {
    ...{ metric, conditions: chosen.map(({ label }) => label), named: primary !== undefined },
    comparisons: changes.map(({ p, ...one }, place) => ({
      ...one,
      ...(p !== undefined && { p, holm: adjusted[place]! }),
    })),
  }
}

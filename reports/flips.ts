import { mean } from '../src/statistics/index.js'
import type { Aggregate, Group } from '../src/results/aggregate.js'
import type { Difference } from '../src/results/schema.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { cleanLabel, comparedGroups, describeScope, figure, findGroup, groupRows, rowHeads } from './tables/rows.js'
import type { Column, Table } from '../src/tables/table.js'

/** Which tasks were lost and which were gained, which a difference of means hides. */
export default defineTableReport({
  name: 'flips',
  summary: 'pairs with the clean twin by their outcomes: gained, lost, both, neither',
  source: 'McNemar 1947; the flips between identical runs are the floor: tau-bench (arXiv 2406.12045)',
  tables: flipTables,
  isInTerminal: () => false,
})

/** One table for each environment; none for a run without a clean twin. */
function flipTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const compared = comparedGroups(aggregate, environment)
    if (compared.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'flips', 'Flips against the clean twin'),
      notes: [
        'Pairs of the same task, seed and temperature by their outcomes. Lost: success in the clean twin only; Gained: under the perturbation only; Both, Neither: in both, in neither.',
        'Flipped: lost and gained, in percent of all pairs, over several temperatures the mean of the shares at each; Clean repeats: the same for pairs of clean runs at two seeds, which is how many flip without a perturbation. A column that ' +
          'promises identity does not measure that where a server repeats its replies to a seed.',
        'Counts of pairs have no standard deviation over seeds.',
        ...describeScope(aggregate, detail),
      ],
      heads: rowHeads(aggregate, detail, true),
      groups: [
        { title: 'Pairs', columns: [counted('Lost'), counted('Gained'), counted('Both'), counted('Neither')] },
        {
          title: 'Evidence',
          columns: [
            { title: 'Flipped', shows: 'share', metric: 'flipped' },
            { title: 'Clean repeats', shows: 'share', metric: 'flipped-clean-repeats' },
            { title: 'Pairs', shows: 'coverage', metric: 'pairs' },
          ],
        },
      ],
      rows: groupRows(aggregate, detail, compared, ({ difference }, group, { temperature }) => {
        const { flips, pairs, planned } = difference!
        const { lost, gained, both, neither } = flips
        const scopes = group.temperatures.filter((one) => [undefined, one.temperature].includes(temperature))
        return [
          ...[lost, gained, both, neither].map(figure),
          figure(mean(scopes.flatMap((scope) => shareFlipped(scope.difference!) ?? []))),
          figure(flipsOfClean(aggregate, group, temperature)),
          { valid: pairs, planned },
        ]
      }),
    }
  })
}

/**
 * The share of two clean tries at a task of which exactly one succeeds: pass@2 − pass^2. Temperatures weigh the same.
 */
function flipsOfClean(aggregate: Aggregate, group: Group, temperature: number | undefined): number | undefined {
  const clean = cleanLabel(aggregate)
  const { environment, model, agent } = group
  const twin = clean === undefined ? undefined : findGroup(aggregate, environment, model, agent, clean)
  const scopes = twin?.temperatures.filter((one) => temperature === undefined || one.temperature === temperature)
  const flips = scopes?.map(({ trials }) =>
    trials?.passAt[2] === undefined ? undefined : trials.passAt[2] - trials.passHat[2]!,
  )
  const known = flips?.filter((share) => share !== undefined) ?? []
  return known.length === scopes?.length ? mean(known) : undefined
}

function shareFlipped({ flips: { lost, gained }, pairs }: Difference): number | undefined {
  return pairs === 0 ? undefined : (lost + gained) / pairs
}

function counted(title: string): Column {
  return { title, shows: 'count', metric: title.toLowerCase() }
}

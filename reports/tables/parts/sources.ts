import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Variances } from '../../../src/results/schema.js'
import type { Cell, Table } from '../../../src/tables/table.js'
import { speaksOf, tableOn } from '../captions.js'
import { measure, measuredTables } from '../measured.js'
import { figure } from '../rows.js'

/** What single episodes vary by, for each environment where they do. */
export function sourceTables(aggregate: Aggregate): Table[] {
  return aggregate.variances.flatMap(({ environment, success = [], progress = [] }) => {
    const componentOf = (shares: Shares, name: string): Cell =>
      figure(shares.find((one) => one.name === name)?.deviation)
    const shareOf = (shares: Shares, name: string): Cell => {
      const found = shares.find((one) => one.name === name)
      return found ? { value: found.share, ...found.interval } : {}
    }
    return measuredTables<Shares[number]>(
      { ...tableOn(aggregate, environment, 'behaviour', 'What episodes vary by', 'source'), heads: ['Source'] },
      (success.length > 0 ? success : progress).map((of) => ({
        row: { heads: [of.name], model: '', agent: '', label: of.name },
        of,
      })),
      [
        measure('Number', 'Levels', 'count', 'levels', ({ levels }) => figure(levels)),
        measure('Success', 'SD', 'error', 'success-component', ({ name }) => componentOf(success, name)),
        measure('Success', 'Share', 'share', 'success-variance-share', ({ name }) => shareOf(success, name)),
        measure('Progress', 'SD', 'error', 'progress-component', ({ name }) => componentOf(progress, name)),
        measure('Progress', 'Share', 'share', 'progress-variance-share', ({ name }) => shareOf(progress, name)),
      ],
      [
        'The variance of single episodes by the main effect of each source; all interactions and chance are the rest. Seeds are within a temperature, draws within a condition. Columns that promise identity and adversarial ones do not enter.',
        'SD: root of the variance component, in points (below 0 counts as 0). Share: of the sum of all components, in percent; that of the tasks with its 95 % interval by the F distribution. Other sources have none: their levels are few, and where shares are small such intervals seldom hold them.',
        `These are components of variance; there is no standard deviation over runs. ${speaksOf.tasks}`,
      ],
    )
  })
}

type Shares = NonNullable<Variances['success']>

import type { Aggregate } from '../../../src/results/aggregate.js'
import type { TouchedPart } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { listFirst } from '../../../src/tables/words.js'
import { speaksOf, tableOn } from '../captions.js'
import { changeCell, evidenceNotes, touchedTasks } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import { figure, nameRow, rowHeads } from '../rows.js'
import { differenceNotes } from '../tests.js'

/** Families by the part of the decision process that they change: surface beside meaning. */
export function partTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    measuredTables(
      {
        ...tableOn(aggregate, environment, 'changes', 'Change by part: surface and meaning', 'part'),
        heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Part' : head)),
      },
      aggregate.profiles
        .filter((one) => one.environment === environment)
        .flatMap(({ model, agent, parts = [] }) =>
          parts.map((of) => ({ row: nameRow(aggregate, 'pooled', {}, { model, agent, label: of.touches }), of })),
        ),
      measures,
      [
        'Part: what the families change of the decision process: what the agent reads (observation), what it can say (action), what actions do (transition), what is to be done (goal), which actions are listed (list). Stacks, controls and adversarial families are in none.',
        `Change of success in points, mean over the families of a side at their highest intensity. ${differenceNotes.interval} ${speaksOf.tasks} There is no standard deviation over runs.`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        'At equal dose: each family that changes the meaning less the condition of the same part that keeps it and has the nearest dose (between half and twice), mean over these pairs; in brackets behind a name its dose: action forms reworded, or else what was changed per step.',
      ],
    ),
  )
}

const measures: readonly Measure<TouchedPart>[] = [
  ...sideMeasures('Meaning kept', 'kept'),
  ...sideMeasures('Meaning changed', 'changed'),
  measure('At equal dose', 'Difference', 'change', 'matched-success-change', ({ matched }) =>
    changeCell(matched?.success),
  ),
  measure('At equal dose', 'Matched', 'text', 'matched', ({ matched }) =>
    matched ? { text: listFirst(matched.pairs.map(describePair), 3) } : {},
  ),
]

function sideMeasures(group: string, side: 'kept' | 'changed'): Measure<TouchedPart>[] {
  return [
    measure(group, 'Families', 'count', `${side}-families`, (part) => figure(part[side]?.families.length)),
    measure(group, 'Change', 'change', `${side}-success-change`, (part) => changeCell(part[side]?.success)),
    measure(group, 'Touched tasks', 'share', `${side}-touched-tasks`, (part) => touchedTasks(part[side]?.touched)),
    measure(group, 'Touched steps', 'share', `${side}-touched-steps`, (part) => figure(part[side]?.touched?.steps)),
  ]
}

function describePair({ changed, kept, doses }: NonNullable<TouchedPart['matched']>['pairs'][number]): string {
  const [one, other] = doses.map((dose) => dose.toFixed(1))
  return `${changed} (${one!}) with ${kept} (${other!})`
}

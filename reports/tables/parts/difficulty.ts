import { mean, taskInterval } from '../../../src/statistics/index.js'
import type { Aggregate, Group } from '../../../src/results/aggregate.js'
import { count } from '../../../src/tables/words.js'
import { tableOn } from '../captions.js'
import { describeScope, figure, groupsOn, nameRow, rowHeads } from '../rows.js'
import type { Cell, Table } from '../../../src/tables/table.js'

const difficulties = ['easy', 'hard'] as const
const metrics = ['success', 'progress'] as const

/** Success and progress on easy and on hard tasks, as AgentBoard (arXiv 2401.13178) splits its results. */
export function difficultyTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment, panel }) => {
    const splits = difficulties.map((difficulty) =>
      panel.tasks.flatMap((task, place) => (task.difficulty === difficulty ? [place] : [])),
    )
    const known = splits.reduce((sum, places) => sum + places.length, 0)
    if (known === 0) return []
    const unknown = panel.tasks.length - known
    return {
      ...tableOn(aggregate, environment, 'by-kind', 'Easy and hard tasks', 'difficulty'),
      notes: [
        `Success and progress rate in percent on ${splits.map((places, place) => count(places.length, `${difficulties[place]!} task`)).join(' and ')}.`,
        "A rate is the mean over tasks of each task's mean over its measurements, in brackets its 95 % interval over tasks; there is no standard deviation over runs.",
        ...(unknown === 0 ? [] : [`${count(unknown, 'task')} of unknown difficulty left out.`]),
        ...describeScope(aggregate, 'pooled'),
      ],
      heads: rowHeads(aggregate, 'pooled', true),
      groups: difficulties.map((difficulty) => ({
        title: difficulty === 'easy' ? 'Easy' : 'Hard',
        columns: [
          { title: 'Success', shows: 'share', metric: `success-${difficulty}` },
          { title: 'Progress', shows: 'share', metric: `progress-${difficulty}` },
          { title: 'Coverage', shows: 'coverage', metric: `coverage-${difficulty}` },
        ],
      })),
      rows: groupsOn(aggregate, environment).map((group) => ({
        ...nameRow(aggregate, 'pooled', {}, { model: group.model, agent: group.agent, label: group.column }),
        cells: splits.flatMap((places) => splitCells(group, places)),
      })),
    }
  })
}

/** Success, progress and coverage over the tasks at some places. */
function splitCells({ tasks, runs }: Group, places: readonly number[]): Cell[] {
  const measured = places.filter((place) => tasks.valid[place]! > 0)
  const valid = places.reduce((sum, place) => sum + tasks.valid[place]!, 0)
  return [
    ...metrics.map((metric): Cell => {
      const scores = measured.map((place) =>
        metric === 'success' ? tasks.successes[place]! / tasks.valid[place]! : tasks.progress[place]!,
      )
      return { ...figure(mean(scores)), ...taskInterval(scores) }
    }),
    { valid, planned: runs.length * places.length },
  ]
}

import { canonicalJson, labelWithout } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { findGroup } from '../../src/results/find.js'
import { groupBy } from '../../src/results/lists.js'
import { metrics } from '../../src/results/pairs.js'
import type { Difference, Primary, Variant } from '../../src/results/schema.js'
import { describeTests, differenceNotes, speaksOf } from '../../src/results/statements.js'
import { describePrimary } from '../../src/results/summary/headlines.js'
import type { Cell, Table } from '../../src/tables/table.js'
import { count, listWords } from '../../src/tables/words.js'
import { describeRuns } from './captions.js'
import { defineTableReport } from './define-report.js'
import { drawTables, familyTables, partTables } from './families.js'
import type { Measures } from './measured.js'
import {
  estimate,
  evidenceNotes,
  ifMissing,
  measuredTables,
  perMetric,
  testMeasures,
  touchedMeasures,
} from './measured.js'
import { type Detail, describeScope, groupRows } from './rows.js'
import { describeRateMarks, markedRate } from './rates.js'

/**
 * What changed, in one long table by what is compared: the primary endpoint, families, parts of the decision process,
 * single conditions, the draws of a family, and variants of a model.
 */
export default defineTableReport({
  name: 'changes',
  summary:
    'paired changes with intervals and tests: by primary endpoint, family, part, condition (with flips), draws, and variant of a model',
  source:
    'Paired differences with the task as the cluster: Miller 2024 (arXiv 2411.00640). One primary endpoint: ICH E9 (1998), section 2.2.2. ' +
    'Drop rate: PromptBench (arXiv 2306.04528). Flips: McNemar 1947; tau-bench (arXiv 2406.12045). Worst draw: HELM (arXiv 2211.09110). ' +
    "Spread over draws: Searle, Casella and McCulloch 1992, chapter 4; Hedges and Olkin 1985, chapter 9. Variants: AgentRefine's table 2",
  tables: (aggregate, detail) => [
    ...primaryTables(aggregate),
    ...familyTables(aggregate),
    ...partTables(aggregate),
    ...conditionTables(aggregate, detail),
    ...drawTables(aggregate),
    ...variantTables(aggregate),
  ],
})

type Comparison = Primary['comparisons'][number]

/**
 * The primary endpoint of a run, for each environment. Every other p has a family of its own: some are small by chance.
 */
function primaryTables(aggregate: Aggregate): Table[] {
  const { primary } = aggregate
  if (primary === undefined) return []
  const { metric, conditions, named, comparisons } = primary
  const isDrawn = conditions.some((label) => labelWithout(label, 'draw') !== label)
  const measures: Measures<Comparison> = {
    [metric === 'success' ? 'Success' : 'Progress']: [
      ['Change', 'change', `${metric}-change`, ({ difference }) => estimate(difference)],
      ...testMeasures<Comparison>(`${metric}-`, (test) => test),
      ['If missing', 'change', `${metric}-change-if-missing`, ({ difference }) => ifMissing(difference)],
    ],
    Evidence: [['Tasks', 'count', 'paired-tasks', ({ difference }) => difference.tasks]],
    ...touchedMeasures<Comparison>(({ touched }) => touched),
  }
  return measuredTables(aggregate, {
    ...{ name: 'changes', by: 'primary', title: 'Primary endpoint', measures },
    rows: comparisons.map((of) => ({ subject: of, label: conditions.join(' '), of })),
    notesOf: () => [
      `${describePrimary(primary)}, ${named ? 'as the experiment names it' : 'the default where the experiment names none'}. A task's change is its mean over ${listWords(conditions)}, the same tasks and conditions for every model, over every seed and temperature${isDrawn ? '; the draws of one perturbation count as one, their mean, and the interval applies to these draws' : ''}.`,
      `Perturbed minus clean in percentage points; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It is over tasks; no standard deviation over runs is shown.`,
      `${evidenceNotes.all} ${evidenceNotes.touched}`,
      evidenceNotes.missing,
      ...describeTests(
        comparisons,
        `${count(comparisons.length, 'comparison')} (each model${aggregate.agents.length > 1 ? ' and agent' : ''} in each environment)`,
      ),
      'Every other table of this run is exploratory.',
    ],
  })
}

/** The change under each condition against the clean twin, with the tasks lost and gained, which a mean hides. */
function conditionTables(aggregate: Aggregate, detail: Detail): Table[] {
  const compared = aggregate.groups.filter(({ pooled }) => pooled.difference !== undefined)
  return measuredTables<Difference>(aggregate, {
    ...{ name: 'changes', by: 'condition', title: 'Change by condition, against the clean twin', detail },
    ...{ head: 'Condition', measures: conditionMeasures },
    rows: groupRows(aggregate, detail, compared, (group, { of }) => of(group).difference!),
    notesOf: (rows) => [
      'Perturbed minus clean in percentage points; below 0 is a drop.',
      `Pairs are of the same task, seed and temperature. ${differenceNotes.interval}`,
      ...describeTests(
        rows.flatMap(({ tests }) => metrics.map((metric) => tests?.[metric])),
        'the conditions of one model and agent (each at 5 %)',
      ),
      'Drop rate: 1 − perturbed/clean in percent, the share of the clean score that is lost, with its 95 % interval: the rates that the same test does not reject. None where the clean score is 0, and no interval where 0 is not ruled out.',
      `Intervals are over tasks; no standard deviation over runs is shown. ${speaksOf.tasks}`,
      `${evidenceNotes.all} ${evidenceNotes.touched}`,
      evidenceNotes.missing,
      'Pairs by their outcomes. Lost: success in the clean twin only; Gained: under the perturbation only; Both, Neither: in both, in neither.',
      ...describeScope(aggregate, detail),
    ],
  })
}

function pairsOf({ pairs: valid, planned }: Difference): Cell {
  return { valid, planned }
}

const conditionMeasures: Measures<Difference> = {
  ...perMetric<Difference>((metric, title) => ({
    [title]: [
      ['Change', 'change', `${metric}-change`, (of) => ({ ...pairsOf(of), ...estimate(of[metric]) })],
      ...testMeasures<Difference>(`${metric}-`, ({ tests }) => tests?.[metric]),
      ['Drop rate', 'share', `${metric}-drop-rate`, ({ dropRate }) => estimate(dropRate[metric])],
      ['If missing', 'change', `${metric}-change-if-missing`, (of) => ifMissing(of[metric])],
    ],
  })),
  Flips: [
    ['Lost', 'count', 'lost', ({ flips }) => flips.lost],
    ['Gained', 'count', 'gained', ({ flips }) => flips.gained],
    ['Both', 'count', 'both', ({ flips }) => flips.both],
    ['Neither', 'count', 'neither', ({ flips }) => flips.neither],
  ],
  Evidence: [
    ['Tasks', 'count', 'paired-tasks', ({ success }) => success.tasks],
    ['Pairs', 'coverage', 'pairs', pairsOf],
  ],
  ...touchedMeasures<Difference>(({ touched }) => touched),
}

/** A model under a condition, and its comparison with its reference model, which itself has none. */
interface Varied {
  readonly variant?: Variant | undefined
  rateOf(metric: 'success' | 'progress'): Cell
}

/** Model variants below their reference model, as AgentRefine's table 2, with paired differences. */
function variantTables(aggregate: Aggregate): Table[] {
  const rowOf = (model: string, { environment, agent, condition: label }: Variant, variant?: Variant) => {
    const group = findGroup(aggregate, environment, model, agent, label)
    const rateOf: Varied['rateOf'] = (metric) =>
      group ? markedRate(aggregate, group, { of: ({ pooled }) => pooled }, metric) : {}
    const subject = { environment, model, agent }
    return { subject, label, ...(variant && { title: `– ${model}` }), of: { variant, rateOf } }
  }
  const families = groupBy(aggregate.variants, ({ environment, condition, agent, reference }) =>
    canonicalJson([environment, condition, agent, reference]),
  )
  return measuredTables<Varied>(aggregate, {
    ...{ name: 'changes', by: 'variant', title: 'Change by variant of a model (ablation)', measures: variantMeasures },
    ...{ head: aggregate.conditions.length > 1 ? 'Condition' : undefined },
    marks: describeRateMarks(aggregate, 'pooled'),
    rows: [...families.values()].flatMap((variants) => [
      rowOf(variants[0]!.reference, variants[0]!),
      ...variants.map((variant) => rowOf(variant.model, variant, variant)),
    ]),
    notesOf: (rows) => [
      'Rate: success and progress in percent over all seeds and temperatures; the variants of a model stand below it.',
      ...describeRuns(aggregate, 'pooled'),
      `Change: variant minus reference model in percentage points, paired by task, seed and temperature. ${differenceNotes.interval} ${speaksOf.tasks}`,
      ...describeTests(
        rows.flatMap(({ variant }) => metrics.map((metric) => variant?.tests?.[metric])),
        'the variants of one model',
      ),
    ],
  })
}

const variantMeasures: Measures<Varied> = {
  ...perMetric<Varied>((metric, title) => ({
    [title]: [
      ['Rate', 'percent', metric, ({ rateOf }) => rateOf(metric)],
      ['Change', 'change', `${metric}-change`, ({ variant }) => estimate(variant?.[metric])],
      ...testMeasures<Varied>(`${metric}-`, ({ variant }) => variant?.tests?.[metric]),
    ],
  })),
  Evidence: [['Pairs', 'count', 'pairs', ({ variant }) => variant?.pairs]],
}

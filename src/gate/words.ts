import { cellText } from '../tables/table.js'
import { count } from '../tables/words.js'
import type { Interval } from '../statistics/intervals.js'
import type { CheckedCell, Rule, Verdict } from './check.js'

/** A difference of shares in percentage points: `-3.2`, `+0.7`. */
export function points(share: number): string {
  const text = cellText({ value: share }, { shows: 'change', title: '', metric: '' })
  return share > 0 && !/^0\.0$/.test(text) ? `+${text}` : text
}

/** A share in percent: `93.1 %`. */
export function percent(share: number): string {
  return `${cellText({ value: share }, { shows: 'percent', title: '', metric: '' })} %`
}

/** `-3.2 to +0.7`. */
export function range({ low, high }: Interval): string {
  return `${points(low)} to ${points(high)}`
}

/** `0.012`, `<0.001`. */
export function chance(p: number): string {
  return cellText({ value: p }, { shows: 'p', title: '', metric: '' })
}

/** `household · reader · act · none`, with the baseline's names where they are others. */
export function nameCell({
  environment,
  model,
  agent,
  column,
  was,
}: Pick<CheckedCell, 'environment' | 'model' | 'agent' | 'column' | 'was'>): string {
  const name = (now: string, before?: string): string =>
    before === undefined || before === now ? now : `${before} → ${now}`
  return [environment, name(model, was?.model), name(agent, was?.agent), column].join(' · ')
}

/** What a verdict is called where a person reads it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  pass: 'PASS',
  fail: 'REGRESSION',
  inconclusive: 'INCONCLUSIVE',
  broken: 'BROKEN',
}

/** The rule in a sentence or two. */
export function describeRule(
  { metric, margin, alpha, looks, minCoverage, strict, correction }: Rule,
  judged: number,
): string[] {
  const confidence = `${String(Number((100 * (1 - 2 * alpha)).toFixed(2)))} %`
  const corrected = correction === 'holm' && judged > 1 ? `, Holm-corrected for ${count(judged, 'cell')}` : ''
  return [
    `A cell is an environment, model, agent and column over all tasks and temperatures that both sides have; ${metric} is paired by task, temperature and, where both have the same seeds, by seed; the task is the cluster.`,
    `Pass: the lower end of the ${confidence} interval of the change is above ${points(-margin)} points. ` +
      `Regression: ${strict ? `significantly below ${points(-margin)} points` : `significantly below 0 and ${points(-margin)} points or worse`} (one-sided p at most ${String(Number(alpha.toPrecision(3)))}${corrected}). ` +
      `Otherwise it is inconclusive. A verdict holds whatever missing episodes would have been; at least ${percent(minCoverage)} of a cell's episodes have to be measured on each side.`,
    ...(looks === undefined
      ? []
      : [
          `Look ${String(looks.look)} of ${String(looks.planned)}: of an error probability of ${String(looks.alpha)} for all looks together, ${String(Number(alpha.toPrecision(3)))} is spent here (O'Brien-Fleming).`,
        ]),
  ]
}

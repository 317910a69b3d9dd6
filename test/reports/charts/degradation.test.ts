import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import type { EpisodeRow } from '../../../src/core/episode.js'
import { makePlan, makeRow, makeRun, taskId } from '../fixture.js'
import { workedExample } from '../worked-example.js'
import { marksOf } from './marks.js'
import { parseXml } from './xml.js'

const summary = aggregate(workedExample())
const chart = chartsOf(summary).find(({ name }) => name === 'degradation')!
const root = parseXml(chart.svg)
const bars = marksOf(root)

describe('the chart of degradation', () => {
  it('has bars as long as their values, one for each measured rate', () => {
    expect(bars).toHaveLength(chart.points.filter(({ value }) => value !== undefined).length)
    expect(bars).toHaveLength(2 * 3 * 2)
    const lengths = bars.map(({ attributes }) => ({
      value: Number(attributes['data-value']),
      width: Number(attributes.width),
    }))
    const full = lengths.find(({ value }) => value > 0.5)!
    for (const { value, width } of lengths) expect(width).toBeCloseTo((full.width / full.value) * value, 1)
  })

  it('tells each rate as the aggregate has it', () => {
    const shown = chart.points.find(
      (point) => point.model === 'parrot' && point.column === 'agentrefine-1' && point.metric === 'success',
    )!
    const group = summary.groups.find(({ model, column }) => model === 'parrot' && column === 'agentrefine-1')!
    expect(shown).toMatchObject({
      value: group.pooled.success.mean,
      ...group.pooled.success.overTasks,
      ...group.pooled.coverage,
    })
  })

  it('is drawn so', () => {
    const small = aggregate(
      makeRun(makePlan({ models: ['reader'], columns: ['none', 'a'], temperatures: [0], seeds: [1] }), play),
    )
    expect(chartsOf(small, { embedded: true })[0]!.svg.replace(/<desc.*\n/, '')).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" class="shaketable-chart" role="img" aria-labelledby="degradation-title degradation-desc" viewBox="-8 0 456 98" width="456" height="98" font-family="Helvetica, Arial, &#39;Liberation Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif">
      <title id="degradation-title">Degradation under perturbation on household</title>
      <g class="fill-ink" fill="#1a1a1a">
      <text font-size="11" x="37" y="11" font-weight="bold">Success rate (%)</text>
      <text font-size="11" x="238.5" y="11" font-weight="bold">Progress rate (%)</text>
      <text font-size="11" x="0" y="31" font-weight="bold">reader</text><line class="stroke-axis" x1="37" x2="37" y1="38" y2="68" stroke="#8c8c8c" stroke-width="0.75"/><line class="stroke-grid" x1="76.38" x2="76.38" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="115.75" x2="115.75" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="155.13" x2="155.13" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="194.5" x2="194.5" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-axis" x1="238.5" x2="238.5" y1="38" y2="68" stroke="#8c8c8c" stroke-width="0.75"/><line class="stroke-grid" x1="277.88" x2="277.88" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="317.25" x2="317.25" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="356.63" x2="356.63" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="396" x2="396" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-muted" x1="155.13" x2="155.13" y1="38" y2="68" stroke="#595959" stroke-width="0.75" stroke-dasharray="3 2"/><line class="stroke-muted" x1="376.31" x2="376.31" y1="38" y2="68" stroke="#595959" stroke-width="0.75" stroke-dasharray="3 2"/>
      <text font-size="10.5" x="31" y="49" text-anchor="end">none</text><rect class="fill-clean" x="37" y="41" width="118.13" height="9" fill="#b3b3b3" data-environment="household" data-model="reader" data-agent="act" data-column="none" data-metric="success" data-value="0.75" data-low="0.19412" data-high="0.993691"><title>reader, none: success rate 75.0 %, 95 % interval 19.4 to 99.4; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M67.57 45.5H193.51M67.57 43v5M193.51 43v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="228.5" y="49" text-anchor="end">75.0</text><rect class="fill-clean" x="238.5" y="41" width="137.81" height="9" fill="#b3b3b3" data-environment="household" data-model="reader" data-agent="act" data-column="none" data-metric="progress" data-value="0.875" data-low="0.33437" data-high="0.996845"><title>reader, none: progress rate 87.5 %, 95 % interval 33.4 to 99.7; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M291.16 45.5H395.5M291.16 43v5M395.5 43v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="430" y="49" text-anchor="end">87.5</text>
      <text font-size="10.5" x="31" y="64" text-anchor="end">a</text><rect class="fill-bar" x="37" y="56" width="39.38" height="9" fill="#7cc3ec" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="success" data-value="0.25" data-low="0.00630946" data-high="0.80588"><title>reader, a: success rate 25.0 %, 95 % interval 0.6 to 80.6; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M37.99 60.5H163.93M37.99 58v5M163.93 58v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="228.5" y="64" text-anchor="end">25.0</text><rect class="fill-bar" x="238.5" y="56" width="98.44" height="9" fill="#7cc3ec" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="progress" data-value="0.625" data-low="0.236435" data-high="0.90294"><title>reader, a: progress rate 62.5 %, 95 % interval 23.6 to 90.3; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M275.74 60.5H380.71M275.74 58v5M380.71 58v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="430" y="64" text-anchor="end">62.5</text>
      <text class="fill-muted" font-size="10" x="37" y="82" text-anchor="middle" fill="#595959">0</text><text class="fill-muted" font-size="10" x="115.75" y="82" text-anchor="middle" fill="#595959">50</text><text class="fill-muted" font-size="10" x="194.5" y="82" text-anchor="middle" fill="#595959">100</text><text class="fill-muted" font-size="10" x="238.5" y="82" text-anchor="middle" fill="#595959">0</text><text class="fill-muted" font-size="10" x="317.25" y="82" text-anchor="middle" fill="#595959">50</text><text class="fill-muted" font-size="10" x="396" y="82" text-anchor="middle" fill="#595959">100</text>
      </g>
      </svg>
      "
    `)
    expect(chartsOf(small)[0]!.csv).toMatchInlineSnapshot(`
      "chart,environment,model,agent,column,temperature,metric,x,value,low,high,valid,planned,kind
      degradation,household,reader,act,none,all,success,,0.75,0.19412044968324338,0.9936905367902901,4,4,
      degradation,household,reader,act,none,all,progress,,0.875,0.33437015248821117,0.996845268395145,4,4,
      degradation,household,reader,act,a,all,success,,0.25,0.006309463209709865,0.8058795503167566,4,4,
      degradation,household,reader,act,a,all,progress,,0.625,0.236435402250794,0.9029397751583783,4,4,
      "
    `)
  })
})

/** Three of four tasks are solved, under the perturbation one. */
function play(at: EpisodeRow): EpisodeRow {
  const solved = at.column === 'none' ? at.task !== taskId(3) : at.task === taskId(0)
  return makeRow(at, solved ? 'success' : 'step-limit', solved ? 1 : 0.5)
}

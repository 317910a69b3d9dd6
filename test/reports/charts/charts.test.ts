import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { chartClass, chartStyle } from '../../../reports/charts/palette.js'
import { reports } from '../../../reports/index.js'
import { createRandom } from '../../../src/core/random.js'
import type { EpisodeRow } from '../../../src/core/episode.js'
import { makePlan, makeRow, makeRun, taskId } from '../fixture.js'
import { workedExample } from '../worked-example.js'
import { inventAggregate } from './fixture.js'
import type { Node } from './xml.js'
import { findAll, marksOf, parseXml, textOf } from './xml.js'

const columns = ['none', 'placebo', 'agentrefine-1', 'agentrefine-4:intensity=0.5', 'agentrefine-4:intensity=1']
const full = inventAggregate({ columns, environments: ['household', 'sciworld'] }, createRandom('charts'))
const charts = chartsOf(full)

function everything(node: Node): Node[] {
  return [node, ...node.children.flatMap((child) => (typeof child === 'string' ? [] : everything(child)))]
}

describe('the charts of a run', () => {
  it('are one for each environment, and a heat map of all environments', () => {
    expect(charts.map(({ file }) => file)).toEqual([
      'robustness-profile-household',
      'robustness-profile-sciworld',
      'family-heat-map-household',
      'family-heat-map-sciworld',
      'degradation-household',
      'degradation-sciworld',
      'slope-household',
      'slope-sciworld',
      'heat-map',
      'progress-profile-household',
      'progress-profile-sciworld',
      'steps-household',
      'steps-sciworld',
      'pass-hat-household',
      'pass-hat-sciworld',
      'intensity-household',
      'intensity-sciworld',
      'reliability-household',
      'reliability-sciworld',
    ])
  })

  it('are removed where they are left over from an earlier report, and no other file is', () => {
    const own = reports.find(({ name }) => name === 'charts')!
    const files = charts.flatMap(({ file }) => [`${file}.svg`, `${file}.csv`])
    expect(['charts.md', 'slope.svg', ...files].filter((file) => own.isLeftover?.(file) !== true)).toEqual([])
    const others = reports.flatMap(({ name }) => (name === 'charts' ? [] : [`${name}.csv`, `${name}.md`]))
    expect([...others, 'report.html', 'my-slope.svg', 'slope.txt'].filter((file) => own.isLeftover?.(file))).toEqual([])
  })

  it('have no environment in their names if there is only one', () => {
    const one = inventAggregate({ columns }, createRandom('one'))
    expect(chartsOf(one).map(({ file }) => file)).toEqual([
      'robustness-profile',
      'family-heat-map',
      'degradation',
      'slope',
      'heat-map',
      'progress-profile',
      'steps',
      'pass-hat',
      'intensity',
      'reliability',
    ])
  })

  describe.each(charts)('$file', (chart) => {
    const root = parseXml(chart.svg)

    it('is an image with a title and a description', () => {
      const [title, description] = root.attributes['aria-labelledby']!.split(' ')
      expect(root.name).toBe('svg')
      expect(root.attributes).toMatchObject({ role: 'img', class: chartClass, xmlns: 'http://www.w3.org/2000/svg' })
      expect(findAll(root, 'title').find(({ attributes }) => attributes.id === title)?.children).toEqual([chart.title])
      expect(findAll(root, 'desc').find(({ attributes }) => attributes.id === description)?.children).toEqual([
        chart.caption.join(' '),
      ])
    })

    it('names the experiment and its coverage in the caption, which is outside the drawing', () => {
      const caption = chart.caption.join(' ')
      for (const part of ['3 tasks', '3 seeds (1–3)', 'temperatures 0, 1', 'Coverage ', 'plan ']) {
        expect(caption).toContain(part)
      }
      const written = findAll(root, 'text').map(textOf).join(' ').replace(/\s+/g, ' ')
      expect(written).toContain(chart.title)
      expect(written).not.toContain('Coverage')
    })

    it('has words and figures on every mark', () => {
      const marks = marksOf(root)
      expect(marks.length).toBeGreaterThan(3)
      for (const { attributes, children } of marks) {
        expect(attributes).toMatchObject({ 'data-model': expect.any(String), 'data-column': expect.any(String) })
        expect(children).toEqual([expect.objectContaining({ name: 'title' })])
      }
    })

    it('has a line in its CSV file for each point', () => {
      const lines = chart.csv.split('\r\n')
      expect(lines[0]).toMatch(
        /^chart,environment,model,agent,column,temperature,metric,x,value,low,high,valid,planned,kind,touched_tasks,touched_steps,plan,condition,.*,shaketable$/,
      )
      expect(lines.slice(1, -1)).toHaveLength(chart.points.length)
      expect(new Set(lines).size).toBe(lines.length)
    })

    it('has no scripts, no links and no style attributes', () => {
      for (const { name, attributes } of everything(root)) {
        expect(['script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set']).not.toContain(name)
        for (const key of Object.keys(attributes)) expect(key).not.toMatch(/^(style|href|xlink:href|on.*)$/)
      }
      expect(chart.svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/url\(|https?:|@import|data:/)
    })
  })

  it('have ids that begin with the name of their file, so that a page can contain all of them', () => {
    const ids = charts.flatMap(({ file, svg }) =>
      everything(parseXml(svg)).flatMap(({ attributes }) => {
        if (attributes.id === undefined) return []
        expect(attributes.id.startsWith(`${file}-`)).toBe(true)
        return attributes.id
      }),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(2 * charts.length)
  })

  it('contain style and title unless they are embedded', () => {
    const embedded = chartsOf(full, { embedded: true })
    expect(embedded.map(({ csv, title, caption }) => ({ csv, title, caption }))).toEqual(
      charts.map(({ csv, title, caption }) => ({ csv, title, caption })),
    )
    for (const [place, { svg }] of charts.entries()) {
      expect(svg).toContain(chartStyle)
      const root = parseXml(embedded[place]!.svg)
      expect(findAll(root, 'style')).toEqual([])
      expect(findAll(root, 'text').map(textOf).join(' ')).not.toContain('Coverage')
      expect(findAll(root, 'desc')[0]!.children[0]).toContain('Coverage')
    }
  })

  it('are equal to the byte for equal input', () => {
    const again = inventAggregate({ columns, environments: ['household', 'sciworld'] }, createRandom('charts'))
    expect(chartsOf(again)).toEqual(charts)
  })

  it('state that a run is partial', () => {
    for (const { title, svg } of chartsOf({ ...full, partial: true })) {
      expect(title).toContain('PARTIAL')
      expect(svg).toContain('PARTIAL')
    }
  })

  it.each([
    ['several intensities', 'intensity', columns.filter((label) => label !== 'agentrefine-4:intensity=0.5')],
    ['a clean twin', 'slope', columns.filter((label) => label !== 'none')],
    ['anything but the clean twin', 'slope', ['none']],
    ['anything but the clean twin', 'heat-map', ['none']],
  ])('without %s have no %s', (_, name, labels) => {
    const names = chartsOf(inventAggregate({ columns: labels }, createRandom('few'))).map((chart) => chart.name)
    expect(names).not.toContain(name)
    expect(names).toContain('degradation')
  })

  it('have no curves without figures', () => {
    const bare = aggregate(workedExample())
    const groups = bare.groups.map(({ pooled, ...group }) => {
      const { curve, profile, ...scope } = pooled
      expect([curve, profile].every((list) => list === undefined || list.length > 0)).toBe(true)
      return { ...group, temperatures: [], pooled: scope }
    })
    expect(chartsOf({ ...bare, groups }).map(({ name }) => name)).toEqual([
      'robustness-profile',
      'degradation',
      'slope',
      'heat-map',
    ])
  })

  it('are empty if nothing was measured', () => {
    const run = makeRun(makePlan({}), (at) => makeRow(at, 'model-error', 0))
    expect(chartsOf(aggregate(run))).toEqual([])
    expect(chartsOf(aggregate({ ...run, rows: [] }))).toEqual([])
  })

  it('are files of the report, each with its figures', () => {
    const files = [...reports.find(({ name }) => name === 'charts')!.render(workedExample())]
    const drawn = chartsOf(aggregate(workedExample()))
    expect(files).toEqual([
      ...drawn.flatMap(({ file, svg, csv }) => [
        { file: `${file}.svg`, text: svg },
        { file: `${file}.csv`, text: csv },
      ]),
      { file: 'charts.md', text: expect.any(String) },
    ])
    const { text } = files.at(-1)!
    for (const { title, file, caption } of drawn) {
      expect(text).toContain(`## ${title}\n\n![${title}](${file}.svg)\n\n`)
      expect(caption.at(-1)).toMatch(/^shaketable /)
    }
    expect(text.match(/^- shaketable /gm)).toHaveLength(drawn.length)
  })

  it('share no file name with another report', () => {
    const names = reports.flatMap((report) => [...report.render(workedExample())].map(({ file }) => file.toLowerCase()))
    expect(new Set(names).size).toBe(names.length)
  })

  it('look like this bar chart', () => {
    const small = aggregate(
      makeRun(makePlan({ models: ['reader'], columns: ['none', 'a'], temperatures: [0], seeds: [1] }), play),
    )
    const [bars] = chartsOf(small, { embedded: true }).filter(({ name }) => name === 'degradation')
    expect(bars!.svg.replace(/<desc.*\n/, '')).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" class="shaketable-chart" role="img" aria-labelledby="degradation-title degradation-desc" viewBox="-8 0 456 98" width="456" height="98" font-family="Helvetica, Arial, &#39;Liberation Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif">
      <title id="degradation-title">Degradation under perturbation on household</title>
      <g class="fill-ink" fill="#1a1a1a">
      <text font-size="11" x="37" y="11" font-weight="bold">Success rate (%)</text>
      <text font-size="11" x="238.5" y="11" font-weight="bold">Progress rate (%)</text>
      <text font-size="11" x="0" y="31" font-weight="bold">reader</text><line class="stroke-axis" x1="37" x2="37" y1="38" y2="68" stroke="#8c8c8c" stroke-width="0.75"/><line class="stroke-grid" x1="76.38" x2="76.38" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="115.75" x2="115.75" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="155.13" x2="155.13" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="194.5" x2="194.5" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-axis" x1="238.5" x2="238.5" y1="38" y2="68" stroke="#8c8c8c" stroke-width="0.75"/><line class="stroke-grid" x1="277.88" x2="277.88" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="317.25" x2="317.25" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="356.63" x2="356.63" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-grid" x1="396" x2="396" y1="38" y2="68" stroke="#e2e2e2" stroke-width="0.75"/><line class="stroke-muted" x1="155.13" x2="155.13" y1="38" y2="68" stroke="#595959" stroke-width="0.75" stroke-dasharray="3 2"/><line class="stroke-muted" x1="376.31" x2="376.31" y1="38" y2="68" stroke="#595959" stroke-width="0.75" stroke-dasharray="3 2"/>
      <text font-size="10.5" x="31" y="49" text-anchor="end">none</text><rect class="fill-clean" x="37" y="41" width="118.13" height="9" fill="#b3b3b3" data-environment="household" data-model="reader" data-agent="act" data-column="none" data-metric="success" data-value="0.75" data-low="0.19412" data-high="0.993691"><title>reader, none: success rate 75.0 %, 95 % interval 19.4 to 99.4; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M67.57 45.5H193.51M67.57 43v5M193.51 43v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="228.5" y="49" text-anchor="end">75.0</text><rect class="fill-clean" x="238.5" y="41" width="137.81" height="9" fill="#b3b3b3" data-environment="household" data-model="reader" data-agent="act" data-column="none" data-metric="progress" data-value="0.875" data-low="0.33437" data-high="0.996845"><title>reader, none: progress rate 87.5 %, 95 % interval 33.4 to 99.7; 4 of 4 episodes measured</title></rect><path class="stroke-ink" d="M291.16 45.5H395.5M291.16 43v5M395.5 43v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="430" y="49" text-anchor="end">87.5</text>
      <text font-size="10.5" x="31" y="64" text-anchor="end">a</text><rect class="fill-bar" x="37" y="56" width="39.38" height="9" fill="#7cc3ec" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="success" data-value="0.25" data-low="0.00630946" data-high="0.80588"><title>reader, a: success rate 25.0 %, 95 % interval 0.6 to 80.6; 4 of 4 episodes measured; touched 100.0 % of tasks</title></rect><path class="stroke-ink" d="M37.99 60.5H163.93M37.99 58v5M163.93 58v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="228.5" y="64" text-anchor="end">25.0</text><rect class="fill-bar" x="238.5" y="56" width="98.44" height="9" fill="#7cc3ec" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="progress" data-value="0.625" data-low="0.236435" data-high="0.90294"><title>reader, a: progress rate 62.5 %, 95 % interval 23.6 to 90.3; 4 of 4 episodes measured; touched 100.0 % of tasks</title></rect><path class="stroke-ink" d="M275.74 60.5H380.71M275.74 58v5M380.71 58v5" fill="none" stroke="#1a1a1a" stroke-width="1" pointer-events="none"/><text font-size="10.5" x="430" y="64" text-anchor="end">62.5</text>
      <text class="fill-muted" font-size="10" x="37" y="82" text-anchor="middle" fill="#595959">0</text><text class="fill-muted" font-size="10" x="115.75" y="82" text-anchor="middle" fill="#595959">50</text><text class="fill-muted" font-size="10" x="194.5" y="82" text-anchor="middle" fill="#595959">100</text><text class="fill-muted" font-size="10" x="238.5" y="82" text-anchor="middle" fill="#595959">0</text><text class="fill-muted" font-size="10" x="317.25" y="82" text-anchor="middle" fill="#595959">50</text><text class="fill-muted" font-size="10" x="396" y="82" text-anchor="middle" fill="#595959">100</text>
      </g>
      </svg>
      "
    `)
    expect(chartsOf(small).find(({ name }) => name === 'degradation')!.csv).toMatchInlineSnapshot(`
      "chart,environment,model,agent,column,temperature,metric,x,value,low,high,valid,planned,kind,touched_tasks,touched_steps,plan,condition,agent_settings,data,panel,prompt,server,model_settings,seeds,max_steps,max_reply_tokens,first_date,last_date,temperatures,environment_version,calls,prompt_tokens,reply_tokens,cost,shaketable
      degradation,household,reader,act,none,all,success,,0.75,0.19412044968324338,0.9936905367902901,4,4,,,,12a699e978be,none,,,bbe22c1304acbad3710d,shaketable's own,,,1,30,100,,,0,1,,,,,0.1.0
      degradation,household,reader,act,none,all,progress,,0.875,0.3343701524882109,0.996845268395145,4,4,,,,12a699e978be,none,,,bbe22c1304acbad3710d,shaketable's own,,,1,30,100,,,0,1,,,,,0.1.0
      degradation,household,reader,act,a,all,success,,0.25,0.006309463209709865,0.8058795503167566,4,4,,1,,12a699e978be,a: test,,,bbe22c1304acbad3710d,shaketable's own,,,1,30,100,,,0,1,,,,,0.1.0
      degradation,household,reader,act,a,all,progress,,0.625,0.23643540225079407,0.9029397751583783,4,4,,1,,12a699e978be,a: test,,,bbe22c1304acbad3710d,shaketable's own,,,1,30,100,,,0,1,,,,,0.1.0
      "
    `)
  })
})

/** Three of four tasks are solved, under the perturbation one. */
function play(at: EpisodeRow): EpisodeRow {
  const solved = at.column === 'none' ? at.task !== taskId(3) : at.task === taskId(0)
  return makeRow(at, solved ? 'success' : 'step-limit', solved ? 1 : 0.5)
}

const namedCharts = (environments: readonly string[], models: readonly string[] = ['reader']) =>
  chartsOf(inventAggregate({ environments, models, columns: ['none', 'a'] }, createRandom('hostile')))

describe('untrusted names', () => {
  it.each([
    ['</title><script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>'],
    ["' onload='alert(1)"],
    [']]><!--'],
    ['&lt;b&gt; &amp; &#60;'],
  ])('are shown literally: %s', (name) => {
    for (const { svg } of namedCharts(['household'], [name])) {
      const root = parseXml(svg)
      const titles = findAll(root, 'title').map(({ children }) => children.join(''))
      expect(titles.some((text) => text.includes(name))).toBe(true)
      expect(svg).not.toContain(name)
      expect(findAll(root, 'script')).toEqual([])
      expect(findAll(root, 'img')).toEqual([])
    }
  })

  it('lose bidirectional formatting characters, control characters and characters that XML does not allow', () => {
    for (const { svg } of namedCharts(['household'], ['a\u202eb\u2066c\u0000d\u001be\ufffef\ud800g\u2028h'])) {
      const titles = findAll(parseXml(svg), 'title').map(({ children }) => children.join(''))
      expect(titles.some((text) => text.includes('a b c d e f g h'))).toBe(true)
    }
  })

  it('are cut if they are long, with the full name as tooltip', () => {
    const name = `${'very-'.repeat(60)}long`
    for (const { svg, name: kind } of namedCharts(['household'], [name])) {
      const labels = findAll(parseXml(svg), 'text').filter(({ children }) =>
        children.some((child) => typeof child !== 'string' && child.children.join('').startsWith(name)),
      )
      expect(labels.length, kind).toBeGreaterThan(0)
      for (const label of labels) expect(textOf(label)).toMatch(/^very.*….{2}/)
      expect(svg.length).toBeLessThan(400_000)
    }
  })

  it('give safe, unique file names', () => {
    const files = namedCharts(['../../etc/passwd', 'etc passwd', 'ETC PASSWD', '', '..', '漢字', 'a'.repeat(300)])
      .filter(({ name }) => name === 'degradation')
      .map(({ file }) => file)
    expect(files).toEqual([
      'degradation-etc-passwd',
      'degradation-etc-passwd-2',
      'degradation-etc-passwd-3',
      'degradation-environment',
      'degradation-environment-2',
      'degradation-environment-3',
      `degradation-${'a'.repeat(40)}`,
    ])
  })
})

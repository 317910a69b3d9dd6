import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
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
  it('are of four kinds, one for each environment, and one heat map of all environments', () => {
    expect(charts.map(({ file }) => file)).toEqual([
      'robustness-profile-household',
      'robustness-profile-sciworld',
      'heat-map',
      'steps-household',
      'steps-sciworld',
      'intensity-household',
      'intensity-sciworld',
    ])
  })

  it('are removed where they are left over from an earlier report, and no other file is', () => {
    const own = reports.find(({ name }) => name === 'charts')!
    const files = charts.map(({ file }) => `charts/${file}.svg`)
    expect(['charts/captions.md', ...files].filter((file) => own.isLeftover?.(file) !== true)).toEqual([])
    const others = reports.flatMap(({ name }) => (name === 'charts' ? [] : [`tables/${name}.csv`, `tables/${name}.md`]))
    const left = [...others, 'report.html', 'charts/my-steps.svg', 'charts/steps.txt', 'steps.svg']
    expect(left.filter((file) => own.isLeftover?.(file))).toEqual([])
  })

  it('have no environment in their names if there is only one', () => {
    const one = inventAggregate({ columns }, createRandom('one'))
    expect(chartsOf(one).map(({ file }) => file)).toEqual(['robustness-profile', 'heat-map', 'steps', 'intensity'])
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
    expect(embedded.map(({ points, title, caption }) => ({ points, title, caption }))).toEqual(
      charts.map(({ points, title, caption }) => ({ points, title, caption })),
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
    ['a clean twin', 'robustness-profile', columns.filter((label) => label !== 'none')],
    ['a clean twin', 'heat-map', columns.filter((label) => label !== 'none')],
    ['anything but the clean twin', 'heat-map', ['none']],
  ])('without %s have no %s', (_, name, labels) => {
    const names = chartsOf(inventAggregate({ columns: labels }, createRandom('few'))).map((chart) => chart.name)
    expect(names).not.toContain(name)
    expect(names).toContain('steps')
  })

  it('have no curves without figures', () => {
    const bare = aggregate(workedExample())
    const groups = bare.groups.map(({ pooled, ...group }) => {
      const { curve, ...scope } = pooled
      expect(curve?.length).not.toBe(0)
      return { ...group, pooled: scope }
    })
    expect(chartsOf({ ...bare, groups }).map(({ name }) => name)).toEqual(['robustness-profile', 'heat-map'])
  })

  it('are empty if nothing was measured', () => {
    const run = makeRun(makePlan({}), (at) => makeRow(at, 'model-error', 0))
    expect(chartsOf(aggregate(run))).toEqual([])
    expect(chartsOf(aggregate({ ...run, rows: [] }))).toEqual([])
  })

  it('are files of the report', () => {
    const files = [...reports.find(({ name }) => name === 'charts')!.render(workedExample())]
    const drawn = chartsOf(aggregate(workedExample()))
    expect(files).toEqual([
      ...drawn.map(({ file, svg }) => ({ file: `charts/${file}.svg`, text: svg })),
      { file: 'charts/captions.md', text: expect.any(String) },
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

  it('look like this heat map', () => {
    const small = aggregate(
      makeRun(makePlan({ models: ['reader'], columns: ['none', 'a'], temperatures: [0], seeds: [1] }), play),
    )
    const [cells] = chartsOf(small, { embedded: true }).filter(({ name }) => name === 'heat-map')
    expect(cells!.svg.replace(/<desc.*\n/, '')).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" class="shaketable-chart" role="img" aria-labelledby="heat-map-title heat-map-desc" viewBox="-8 0 456 160" width="456" height="160" font-family="Helvetica, Arial, &#39;Liberation Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif">
      <title id="heat-map-title">Change under perturbation on household</title>
      <g class="fill-ink" fill="#1a1a1a">
      <text font-size="11" x="0" y="12" font-weight="bold">Change of success rate (points)</text>
      <text font-size="10.5" x="11" y="50.5" text-anchor="end">a</text>
      <text font-size="10.5" x="47" y="32" text-anchor="middle">reader</text>
      <rect class="fill-vermillion" x="17.5" y="38.5" width="59" height="27" fill="#d55e00" fill-opacity="0.46" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="success-change" data-value="-0.5" data-low="-0.987421" data-high="0.389151"><title>reader, a on household: success −50.0 points, 95 % interval −98.7 to 38.9; 4 of 4 pairs measured; touched 100.0 % of tasks</title></rect><text font-size="10.5" x="47" text-anchor="middle" pointer-events="none" y="50.5">−50.0</text><text font-size="9" x="47" text-anchor="middle" pointer-events="none" y="61.5">100, –</text>
      <text font-size="11" x="0" y="92" font-weight="bold">Change of progress rate (points)</text>
      <text font-size="10.5" x="11" y="130.5" text-anchor="end">a</text>
      <text font-size="10.5" x="47" y="112" text-anchor="middle">reader</text>
      <rect class="fill-vermillion" x="17.5" y="118.5" width="59" height="27" fill="#d55e00" fill-opacity="0.33" data-environment="household" data-model="reader" data-agent="act" data-column="a" data-metric="progress-change" data-value="-0.25" data-low="-0.694576" data-high="0.467034"><title>reader, a on household: progress −25.0 points, 95 % interval −69.5 to 46.7; 4 of 4 pairs measured; touched 100.0 % of tasks</title></rect><text font-size="10.5" x="47" text-anchor="middle" pointer-events="none" y="130.5">−25.0</text><text font-size="9" x="47" text-anchor="middle" pointer-events="none" y="141.5">100, –</text>
      </g>
      </svg>
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
      .filter(({ name }) => name === 'steps')
      .map(({ file }) => file)
    expect(files).toEqual([
      'steps-etc-passwd',
      'steps-etc-passwd-2',
      'steps-etc-passwd-3',
      'steps-environment',
      'steps-environment-2',
      'steps-environment-3',
      `steps-${'a'.repeat(40)}`,
    ])
  })
})

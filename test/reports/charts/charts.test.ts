import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { chartClass, chartStyle } from '../../../reports/charts/palette.js'
import { reports } from '../../../reports/index.js'
import { createRandom } from '../../../src/core/random.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { workedExample } from '../worked-example.js'
import { inventAggregate } from './fixture.js'
import { marksOf } from './marks.js'
import type { Node } from './xml.js'
import { findAll, parseXml, textOf } from './xml.js'

const columns = ['none', 'placebo', 'agentrefine-1', 'agentrefine-4:0.5', 'agentrefine-4:1']
const full = inventAggregate({ columns, environments: ['household', 'sciworld'] }, createRandom('charts'))
const charts = chartsOf(full)

function everything(node: Node): Node[] {
  return [node, ...node.children.flatMap((child) => (typeof child === 'string' ? [] : everything(child)))]
}

describe('the charts of a run', () => {
  it('are one for each environment, and a heat map of all', () => {
    expect(charts.map(({ file }) => file)).toEqual([
      'degradation-household',
      'degradation-sciworld',
      'slope-household',
      'slope-sciworld',
      'heat-map',
      'profile-household',
      'profile-sciworld',
      'steps-household',
      'steps-sciworld',
      'pass-hat-household',
      'pass-hat-sciworld',
      'intensity-household',
      'intensity-sciworld',
    ])
  })

  it('go without the environment in their names where there is one', () => {
    const one = inventAggregate({ columns }, createRandom('one'))
    expect(chartsOf(one).map(({ file }) => file)).toEqual([
      'degradation',
      'slope',
      'heat-map',
      'profile',
      'steps',
      'pass-hat',
      'intensity',
    ])
  })

  describe.each(charts)('$file', (chart) => {
    const root = parseXml(chart.svg)

    it('is an image with a title and a description of its own', () => {
      const [title, description] = root.attributes['aria-labelledby']!.split(' ')
      expect(root.name).toBe('svg')
      expect(root.attributes).toMatchObject({ role: 'img', class: chartClass, xmlns: 'http://www.w3.org/2000/svg' })
      expect(findAll(root, 'title').find(({ attributes }) => attributes.id === title)?.children).toEqual([chart.title])
      expect(findAll(root, 'desc').find(({ attributes }) => attributes.id === description)?.children).toEqual([
        chart.caption.join(' '),
      ])
    })

    it('says under it what was run and how much of it was measured', () => {
      const caption = chart.caption.join(' ')
      for (const part of ['3 tasks', '3 seeds (1–3)', 'temperatures 0, 1', 'Coverage ', 'plan ']) {
        expect(caption).toContain(part)
      }
      const written = findAll(root, 'text').map(textOf).join(' ').replace(/\s+/g, ' ')
      expect(written).toContain(chart.title)
      expect(written).toContain(caption)
    })

    it('tells every mark in words and figures', () => {
      const marks = marksOf(root)
      expect(marks.length).toBeGreaterThan(3)
      for (const { attributes, children } of marks) {
        expect(attributes).toMatchObject({ 'data-model': expect.any(String), 'data-column': expect.any(String) })
        expect(children).toEqual([expect.objectContaining({ name: 'title' })])
      }
    })

    it('has a line in its file of figures for each point', () => {
      const lines = chart.csv.split('\r\n')
      expect(lines[0]).toBe(
        'chart,environment,model,agent,column,temperature,metric,x,value,low,high,valid,planned,kind',
      )
      expect(lines.slice(1, -1)).toHaveLength(chart.points.length)
      expect(new Set(lines).size).toBe(lines.length)
    })

    it('has nothing in it that acts, loads, or styles an element by itself', () => {
      for (const { name, attributes } of everything(root)) {
        expect(['script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set']).not.toContain(name)
        for (const key of Object.keys(attributes)) expect(key).not.toMatch(/^(style|href|xlink:href|on.*)$/)
      }
      expect(chart.svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/url\(|https?:|@import|data:/)
    })
  })

  it('have ids that begin with the name of their file, so that a page can have them all', () => {
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

  it('have their style inside, and for a page of several outside, with title and caption', () => {
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

  it('say that a run is partial', () => {
    for (const { title, svg } of chartsOf({ ...full, partial: true })) {
      expect(title).toContain('PARTIAL')
      expect(svg).toContain('PARTIAL')
    }
  })

  it.each([
    ['several intensities', 'intensity', columns.filter((label) => label !== 'agentrefine-4:0.5')],
    ['a clean twin', 'slope', columns.filter((label) => label !== 'none')],
    ['anything but the clean twin', 'slope', ['none']],
    ['anything but the clean twin', 'heat-map', ['none']],
  ])('without %s have no %s', (_, name, labels) => {
    const names = chartsOf(inventAggregate({ columns: labels }, createRandom('few'))).map((chart) => chart.name)
    expect(names).not.toContain(name)
    expect(names).toContain('degradation')
  })

  it('draw no curve that the figures do not tell', () => {
    const bare = aggregate(workedExample())
    const groups = bare.groups.map(({ pooled, ...group }) => {
      const { curve, profile, ...scope } = pooled
      expect([curve, profile].every((list) => list === undefined || list.length > 0)).toBe(true)
      return { ...group, temperatures: [], pooled: scope }
    })
    expect(chartsOf({ ...bare, groups }).map(({ name }) => name)).toEqual(['degradation', 'slope', 'heat-map'])
  })

  it('are none for a run in which nothing was measured', () => {
    const run = makeRun(makePlan({}), (at) => makeRow(at, 'model-error', 0))
    expect(chartsOf(aggregate(run))).toEqual([])
    expect(chartsOf(aggregate({ ...run, rows: [] }))).toEqual([])
  })

  it('are files of the report, each with its figures', () => {
    const files = [...reports.find(({ name }) => name === 'charts')!.render(workedExample())]
    const drawn = chartsOf(aggregate(workedExample()))
    expect(files).toEqual(
      drawn.flatMap(({ file, svg, csv }) => [
        { file: `${file}.svg`, text: svg },
        { file: `${file}.csv`, text: csv },
      ]),
    )
  })

  it('share no file name with another report', () => {
    const names = reports.flatMap((report) => [...report.render(workedExample())].map(({ file }) => file.toLowerCase()))
    expect(new Set(names).size).toBe(names.length)
  })
})

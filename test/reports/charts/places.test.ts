import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { light } from '../../../reports/charts/palette.js'
import { createRandom } from '../../../src/core/random.js'
import type { Invented } from './fixture.js'
import { inventAggregate } from './fixture.js'
import type { Node } from './xml.js'
import { findAll, parseXml, textOf } from './xml.js'

const name = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"\' onload="x',
    ']]>',
    '&amp;&#0;',
    '\u202egnirts\u0000\ufffe',
    '😀漢字',
    'a'.repeat(300),
  ),
)
const grid: fc.Arbitrary<Invented> = fc.record({
  environments: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  models: fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
  conditions: fc
    .subarray(['placebo', ...'abcdefg', 'x:intensity=0.25', 'x:intensity=0.5', 'x:intensity=1'])
    .map((labels) => ['none', ...labels]),
  agents: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  temperatures: fc.constantFrom([0], [0, 0.7]),
  seeds: fc.constantFrom([1], [1, 2, 3]),
})
const drawn = fc.record({ grid, seed: fc.string(), missing: fc.constantFrom(0, 0, 0.3) })

/** Every coordinate must be inside the box of the chart, whatever moves it. */
function checkPlaces(root: Node): void {
  const [left, top, width, height] = root.attributes.viewBox!.split(' ').map(Number) as [number, number, number, number]
  const visit = ({ name, attributes, children }: Node, down: number): void => {
    const [, moved = '0'] = /^translate\(0 ([\d.]+)\)$/.exec(attributes['transform'] ?? '') ?? []
    const corners = [...(attributes['d'] ?? '').matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)]
    const read = (keys: readonly string[], at: number): number[] => [
      ...keys.flatMap((key) => (key in attributes ? [Number(attributes[key])] : [])),
      ...corners.map((corner) => Number(corner[at])),
    ]
    const isInside = (place: number, start: number, length: number): boolean =>
      place >= start - 0.01 && place <= start + length + 0.01
    if (name !== 'svg') {
      for (const x of read(['x', 'x1', 'x2', 'cx'], 1))
        expect(isInside(x, left, width), `${name} at ${String(x)}`).toBe(true)
      for (const y of read(['y', 'y1', 'y2', 'cy'], 2))
        expect(isInside(y + down, top, height), `${name} at ${String(y)}`).toBe(true)
    }
    for (const child of children) if (typeof child !== 'string') visit(child, down + Number(moved))
  }
  visit(root, 0)
}

describe('for any run', () => {
  it('charts are well-formed, have finite coordinates inside their box, and show no name as markup', () => {
    fc.assert(
      fc.property(drawn, ({ grid, seed, missing }) => {
        const charts = chartsOf(inventAggregate(grid, createRandom(seed), missing))
        for (const { svg, file } of charts) {
          expect(file).toMatch(/^[a-z0-9-]{1,60}$/)
          expect(svg).not.toMatch(/(?<=[">, ])(NaN|undefined|null|-?Infinity)(?=["<, ])|\[object/)
          expect(svg).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0009\u000b-\u001f\ufffe\uffff]/)
          checkPlaces(parseXml(svg))
        }
        expect(new Set(charts.map(({ file }) => file)).size).toBe(charts.length)
      }),
      { numRuns: 8 },
    )
  })

  const conditions = ['none', 'a', 'x:intensity=0.25', 'x:intensity=1']
  const aggregate = inventAggregate({ conditions, models: ['reader'], seeds: [1, 2] }, createRandom('places'))
  const rootOf = (kind: string): Node => parseXml(chartsOf(aggregate).find(({ name }) => name === kind)!.svg)
  const dotsOf = (root: Node, axis: 'cx' | 'cy') =>
    findAll(root, 'circle').flatMap(({ attributes }) =>
      'data-value' in attributes ? [{ value: Number(attributes['data-value']), place: Number(attributes[axis]) }] : [],
    )

  it.each([
    ['steps', 'cy', -90, 8],
    ['intensity', 'cy', -90, 6],
    ['robustness-profile', 'cx', undefined, 4],
  ] as const)('the marks of %s are at their values', (kind, axis, length, count) => {
    const dots = dotsOf(rootOf(kind), axis)
    expect(dots.length).toBeGreaterThanOrEqual(count)
    const sorted = [...dots].sort((one, other) => one.value - other.value)
    const [low, high] = [sorted[0]!, sorted.at(-1)!]
    const slope = (high.place - low.place) / (high.value - low.value)
    if (length !== undefined) expect(slope).toBeCloseTo(length, 0)
    for (const { value, place } of dots) expect(place).toBeCloseTo(low.place + slope * (value - low.value), 0)
  })

  it('a cell of the heat map has its change in points with its sign, orange for a drop', () => {
    const root = rootOf('heat-map')
    const texts = findAll(root, 'text').map(textOf).join(' ')
    const cells = findAll(root, 'rect').filter(({ attributes }) => 'data-value' in attributes)
    expect(cells).toHaveLength(4)
    for (const { attributes } of cells) {
      const value = Number(attributes['data-value'])
      const points = (100 * Math.abs(value)).toFixed(1)
      expect(texts).toContain(`${value < 0 ? '−' : '+'}${points}`)
      expect(attributes['fill']).toBe(value < 0 ? light.vermillion : light.blue)
    }
  })

  it("a change's interval is drawn around its perturbed rate, within the axis", () => {
    const root = rootOf('robustness-profile')
    const dots = dotsOf(root, 'cx').sort((one, other) => one.value - other.value)
    const [low, high] = [dots[0]!, dots.at(-1)!]
    const slope = (high.place - low.place) / (high.value - low.value)
    const caps = findAll(root, 'path').map(({ attributes }) =>
      [...attributes.d!.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x)),
    )
    const changes = aggregate.profiles.flatMap(({ families }) => families.map(({ success }) => success))
    expect(caps).toHaveLength(changes.length)
    changes.forEach(({ clean, interval }, at) => {
      for (const [end, bound] of [interval!.low, interval!.high].entries()) {
        const rate = Math.min(1, Math.max(0, clean! + bound))
        expect(caps[at]![end]).toBeCloseTo(low.place + slope * (rate - low.value), 0)
      }
    })
  })
})

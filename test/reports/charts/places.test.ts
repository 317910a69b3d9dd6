import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { light } from '../../../reports/charts/palette.js'
import { createRandom } from '../../../src/core/random.js'
import { type Invented, inventAggregate } from './fixture.js'
import { type Node, findAll, parseXml, textOf } from './xml.js'

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
  models: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
  conditions: fc
    .subarray(['placebo', ...'abcdefg', 'x:intensity=0.25', 'x:intensity=0.5', 'x:intensity=1'])
    .map((labels) => ['none', ...labels]),
  agents: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  temperatures: fc.constantFrom([0], [0, 0.7]),
  seeds: fc.constantFrom([1], [1, 2, 3]),
})
const drawn = fc.record({ grid, seed: fc.string(), missing: fc.constantFrom(0, 0, 0.3) })

/** A node and its descendants, each with how far the elements around it and its own transform move it. */
function placesOf(node: Node, across = 0, down = 0): { readonly node: Node; readonly x: number; readonly y: number }[] {
  const [, right = '0', lower = '0'] =
    /^translate\(([-\d.]+)[ ,]([-\d.]+)\)$/.exec(node.attributes['transform'] ?? '') ?? []
  const [x, y] = [across + Number(right), down + Number(lower)]
  const below = node.children.flatMap((child) => (typeof child === 'string' ? [] : placesOf(child, x, y)))
  return [{ node, x, y }, ...below]
}

/** Every coordinate must be inside the box of the chart, whatever moves it. */
function checkPlaces(root: Node): void {
  const [left, top, width, height] = root.attributes.viewBox!.split(' ').map(Number) as [number, number, number, number]
  for (const { node, x, y } of placesOf(root)) {
    const { name, attributes } = node
    if (['svg', 'g', 'title', 'desc', 'style'].includes(name)) continue
    const corners = [...(attributes['d'] ?? '').matchAll(/[ML]([\d.-]+),([\d.-]+)/g)]
    const read = (keys: readonly string[], at: number): number[] => [
      ...keys.map((key) => attributes[key] ?? '').flatMap((value) => (/em$|^$/.test(value) ? [] : [Number(value)])),
      ...corners.map((corner) => Number(corner[at])),
      ...(name === 'text' ? [0] : []),
    ]
    const check = (place: number, start: number, length: number): void =>
      expect(place >= start - 0.01 && place <= start + length + 0.01, `${name} at ${String(place)}`).toBe(true)
    for (const own of read(['x', 'x1', 'x2', 'cx'], 1)) check(x + own, left, width)
    for (const own of read(['y', 'y1', 'y2', 'cy'], 2)) check(y + own, top, height)
  }
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
  const rootOf = (kind: string): Node => parseXml(chartsOf(aggregate).find(({ file }) => file === kind)!.svg)
  const dotsOf = (root: Node, axis: 'cx' | 'cy') =>
    placesOf(root).flatMap(({ node, x, y }) => {
      const value =
        parseFloat(
          findAll(node, 'title')
            .flatMap(({ children }) => children)
            .join(''),
        ) / 100
      return node.name === 'circle' && !Number.isNaN(value)
        ? [{ value, place: Number(node.attributes[axis]) + (axis === 'cx' ? x : y) }]
        : []
    })

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
    const places = placesOf(rootOf('heat-map'))
    const shown = places.flatMap(({ node: { name, attributes }, x, y }) => {
      if (name !== 'rect' || attributes['fill-opacity'] === undefined) return []
      const [middle, centre] = [
        x + Number(attributes['x']) + Number(attributes['width']) / 2,
        y + Number(attributes['y']) + 9.5,
      ]
      const words = places.find((one) => one.node.name === 'text' && one.x === middle && one.y === centre)
      return `${textOf(words!.node)} ${attributes['fill']!}`
    })
    const changes = aggregate.profiles.flatMap(({ families }) => families.flatMap((one) => [one.success, one.progress]))
    const expected = changes.map(({ mean }) =>
      mean! < 0 ? `−${(-100 * mean!).toFixed(1)} ${light.vermillion}` : `+${(100 * mean!).toFixed(1)} ${light.blue}`,
    )
    expect(expected).toHaveLength(4)
    expect(shown.sort()).toEqual(expected.sort())
  })

  it("a change's interval is drawn around its perturbed rate, within the axis", () => {
    const root = rootOf('robustness-profile')
    const dots = dotsOf(root, 'cx').sort((one, other) => one.value - other.value)
    const [low, high] = [dots[0]!, dots.at(-1)!]
    const slope = (high.place - low.place) / (high.value - low.value)
    const [lows, highs] = findAll(root, 'g')
      .filter(({ attributes }) => attributes['aria-label'] === 'tick')
      .map((ticks) => findAll(ticks, 'line').map(({ attributes }) => Number(attributes['x1'])))
    const changes = aggregate.profiles.flatMap(({ families }) => families.map(({ success }) => success))
    expect(lows).toHaveLength(changes.length)
    changes.forEach(({ clean, interval }, at) => {
      for (const [ends, bound] of [
        [lows, interval!.low],
        [highs, interval!.high],
      ] as const) {
        const rate = Math.min(1, Math.max(0, clean! + bound))
        expect(ends![at]).toBeCloseTo(low.place + slope * (rate - low.value), 0)
      }
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chart } from '../../../reports/charts/chart.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { createRandom } from '../../../src/core/random.js'
import type { Invented } from './fixture.js'
import { inventAggregate } from './fixture.js'
import type { Node } from './xml.js'
import { findAll, marksOf, parseXml } from './xml.js'

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
  columns: fc
    .uniqueArray(
      fc.constantFrom(
        'placebo',
        'a',
        'b',
        'c',
        'd',
        'e',
        'f',
        'g',
        'x:intensity=0.25',
        'x:intensity=0.5',
        'x:intensity=1',
      ),
      {
        maxLength: 11,
      },
    )
    .map((labels) => ['none', ...labels]),
  agents: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  temperatures: fc.constantFrom([0], [0, 0.7]),
  seeds: fc.constantFrom([1], [1, 2, 3]),
})
const drawn = fc.record({ grid, seed: fc.string(), missing: fc.constantFrom(0, 0, 0.3), embedded: fc.boolean() })

/**
 * The coordinates of an element, by axis. A `path` has absolute corners; relative caps are short and left out.
 */
function placesOf(node: Node): { readonly xs: readonly number[]; readonly ys: readonly number[] } {
  const { attributes } = node
  const read = (...keys: readonly string[]): number[] =>
    keys.flatMap((key) => (key in attributes ? [Number(attributes[key])] : []))
  const xs = read('x', 'x1', 'x2', 'cx')
  const ys = read('y', 'y1', 'y2', 'cy')
  for (const [, command, rest] of (attributes.d ?? '').matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = rest!.trim() === '' ? [] : rest!.trim().split(/[ ,]+/).map(Number)
    if (!numbers.every(Number.isFinite)) throw new Error(`Not a place: ${attributes.d!}`)
    if (command === 'M' || command === 'L') [xs, ys].forEach((list, axis) => list.push(numbers[axis]!))
    if (command === 'H') xs.push(numbers[0]!)
    if (command === 'V') ys.push(numbers[0]!)
  }
  if ('width' in attributes) xs.push(Number(attributes.x ?? 0) + Number(attributes.width))
  if ('height' in attributes) ys.push(Number(attributes.y ?? 0) + Number(attributes.height))
  return { xs, ys }
}

function checkPlaces(root: Node): void {
  const [left, top, width, height] = root.attributes.viewBox!.split(' ').map(Number) as [number, number, number, number]
  const visit = (node: Node, right: number, down: number): void => {
    const moved = /^translate\(([\d.-]+) ([\d.-]+)\)$/.exec(node.attributes.transform ?? '')
    if (node.attributes.transform !== undefined && !moved)
      throw new Error(`Another transform: ${node.attributes.transform}`)
    const [dx, dy] = moved ? [right + Number(moved[1]), down + Number(moved[2])] : [right, down]
    if (node !== root) {
      const { xs, ys } = placesOf(node)
      const inside = (place: number, start: number, length: number): boolean =>
        place >= start - 0.01 && place <= start + length + 0.01
      const isInside = xs.every((x) => inside(x + dx, left, width)) && ys.every((y) => inside(y + dy, top, height))
      if (!isInside) throw new Error(`Outside of its box: ${node.name} at ${xs.join(' ')}, ${ys.join(' ')}`)
    }
    for (const child of node.children) if (typeof child !== 'string') visit(child, dx, dy)
  }
  visit(root, 0, 0)
}

/** Expects all marks of one panel to be on a line y = a + b·value. */
function checkProportion(marks: readonly { readonly value: number; readonly place: number }[]): void {
  const sorted = [...marks].sort((a, b) => a.value - b.value)
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  if (high.value - low.value < 0.05) return
  const slope = (high.place - low.place) / (high.value - low.value)
  for (const { value, place } of sorted)
    expect(Math.abs(place - (low.place + slope * (value - low.value)))).toBeLessThan(0.1)
}

/** The coordinates of a marker's corners along an axis. */
function cornersOf({ attributes }: Node, axis: 0 | 1): number[] {
  const corners = attributes.d!.slice(1, -1).split('L')
  return corners.map((corner) => Number(corner.split(' ')[axis]))
}

/** The vertical centre of a marker; triangles extend further on their pointed side. */
function heightOf(node: Node): number {
  if (node.attributes.cy !== undefined) return Number(node.attributes.cy)
  const ys = cornersOf(node, 1)
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  if (ys.length === 4) return (top + bottom) / 2
  return ys.filter((y) => Math.abs(y - top) < 0.01).length === 1 ? top + 3.5 : bottom - 3.5
}

describe('for any run', () => {
  it('charts are well-formed, have finite coordinates inside their box, and show no name as markup', () => {
    fc.assert(
      fc.property(drawn, ({ grid, seed, missing, embedded }) => {
        const charts = chartsOf(inventAggregate(grid, createRandom(seed), missing), { embedded })
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

  it('the ends of a change are at their rates, and its interval around the perturbed one, within the axis', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const aggregate = aggregateOf(seed)
        const root = parseXml(chartIn(aggregate, 'robustness-profile').svg)
        const ends = marksOf(root).map(({ attributes }) => ({
          value: Number(attributes['data-value']),
          place: Number(attributes.cx),
        }))
        checkProportion(ends)
        const [low, high] = [...ends]
          .sort((a, b) => a.value - b.value)
          .filter((_, at, { length }) => at % (length - 1) === 0)
        const full = (high!.place - low!.place) / (high!.value - low!.value)
        const placeOf = (rate: number): number => low!.place + full * (Math.min(1, Math.max(0, rate)) - low!.value)
        const caps = findAll(root, 'path').map(({ attributes }) =>
          [...attributes.d!.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x)),
        )
        const changes = aggregate.profiles.flatMap(({ families }) => families.map(({ success }) => success))
        expect(caps).toHaveLength(changes.length)
        changes.forEach(({ clean, interval }, at) => {
          const bounds = [interval!.low, interval!.high].map((bound) => placeOf(clean! + bound))
          caps[at]!.forEach((x, end) => expect(Math.abs(x - bounds[end]!)).toBeLessThan(0.1))
        })
      }),
      { numRuns: 12 },
    )
  })

  it.each(['steps', 'intensity'])('the heights of the marks of %s match their values', (kind) => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const root = parseXml(chartIn(aggregateOf(seed, ['reader']), kind).svg)
        const marks = marksOf(root).map((node) => ({
          value: Number(node.attributes['data-value']),
          place: heightOf(node),
          panel: node.attributes['data-metric']!,
        }))
        expect(marks.length).toBeGreaterThan(3)
        for (const panel of new Set(marks.map((one) => one.panel))) {
          checkProportion(marks.filter((one) => one.panel === panel))
        }
      }),
      { numRuns: 12 },
    )
  })
})

function aggregateOf(seed: string, models: readonly string[] = ['reader', 'parrot']): Aggregate {
  const columns = ['none', 'a', 'x:intensity=0.25', 'x:intensity=1']
  return inventAggregate({ columns, models, seeds: [1, 2] }, createRandom(seed))
}

function chartIn(aggregate: Aggregate, kind: string): Chart {
  return chartsOf(aggregate).find((chart) => chart.name === kind)!
}

import type * as Plot from '@observablehq/plot'
import type { PlotOptions, TextOptions } from '@observablehq/plot'
import type * as XmlDom from '@xmldom/xmldom'
import { createRequire } from 'node:module'
import type { Aggregate } from '../../src/results/aggregate.js'
import { plainText, widthOf, withoutMiddle } from '../../src/tables/plain.js'
import { light } from './palette.js'

const load = createRequire(import.meta.url)

/** Observable Plot. It is loaded with the first chart, since that takes longer than most commands. */
export const loadPlot = (): typeof Plot => load('@observablehq/plot') as typeof Plot

/** A plot, as wide as the chart, with no axes but its marks. */
export type PlotOfHeight = PlotOptions & { readonly height: number }

/** A chart without its frame. */
export interface Drawing {
  /** Absent if the chart shows all environments of the run. */
  readonly environment?: string
  /** Title without the environment: `Change under perturbation`. */
  readonly what: string
  /** Sentences that explain the marks. */
  readonly notes: readonly string[]
  /** From top to bottom. */
  readonly plots: readonly PlotOfHeight[]
}

/**
 * Width of every chart in its own units: in a paper's column (about 241 points wide) its smallest letters are still 5.5
 * points high.
 */
export const chartWidth = 440

/**
 * Plots as SVG elements, and their height. No character is left that changes the direction of writing or that XML does
 * not allow, and positions have at most two decimals.
 */
export function drawPlots(plots: readonly PlotOfHeight[]): { readonly marks: string; readonly height: number } {
  const { DOMImplementation, XMLSerializer } = load('@xmldom/xmldom') as typeof XmlDom
  const document = new DOMImplementation().createDocument('http://www.w3.org/1999/xhtml', 'html')
  let height = 0
  const groups = plots.map((options) => {
    const frame = { width: chartWidth, className: 'plot', margin: 0, axis: null, padding: 0 }
    const svg = loadPlot().plot({ document: document as never, ...frame, color: { type: 'identity' }, ...options })
    const marks = visibleText(new XMLSerializer().serializeToString(svg as never))
      .replace(/^<svg[^>]*><style>.*?<\/style>|<\/svg>$/g, '')
      .replace(/(<[^>]+>)|["']/g, (part, tag?: string) => tag?.replace(/-?\d+\.\d{3,}/g, rounded) ?? escapeText(part))
    const top = height
    height += options.height
    return `<g transform="translate(0 ${String(top)})">${marks}</g>`
  })
  return { marks: groups.join('\n'), height }
}

const rounded = (long: string): string => String(Math.round(100 * Number(long)) / 100)

/** Text without characters that change the direction of writing or that XML does not allow. */
const visibleText = (text: string): string => plainText(text).replace(/[\ufffe\uffff]/g, ' ')

/** Untrusted text as XML. */
export function escapeText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}

/** A plot of one line of text, such as a heading. */
export function lineOfText(words: string, height: number, options: TextOptions = {}): PlotOfHeight {
  const { fontSize = 11 } = options
  const name = named(() => words, chartWidth, Number(fontSize))
  return { height, marks: [loadPlot().text([words], { frameAnchor: 'left', ...options, ...name })] }
}

/** The names of rows, left of the frame; `width` is that of the margin. */
export function rowNames(names: readonly string[], width: number, fill: (name: string) => string = () => light.ink) {
  const identity = (name: string): string => name
  const at = { frameAnchor: 'left', textAnchor: 'end', dx: -6 } as const
  return loadPlot().text(names, { y: identity, fill, ...at, ...named(identity, width - 8, textSize) })
}

/** Figures as text, bold for the rows that are. */
export function figures<Row extends { readonly isBold: boolean }>(rows: readonly Row[], options: TextOptions) {
  return [true, false].map((isBold) => {
    const shown = rows.filter((row) => row.isBold === isBold)
    return loadPlot().text(shown, { fontSize: textSize, fontWeight: isBold ? 'bold' : 'normal', ...options })
  })
}

/** Options of the axes of all charts, and of one that shows shares of 1 in percent. */
export const tickWords = { tickSize: 0, tickPadding: 4, color: light.muted, label: null } as const
export const percentTicks = { ...tickWords, tickFormat: (share: number) => String(100 * share) }
export const gridLines = { stroke: light.grid, strokeOpacity: 1, strokeWidth: 0.75 }
export const zeroLine = { stroke: light.axis, strokeWidth: 0.75 }

/** The size of most texts. */
export const textSize = 10.5

/** The width of most letters in ems, rather too large than too small. */
const em = 0.6

/** The estimated width of a text at a size, in the chart's units. */
export function textWidth(text: string, size: number): number {
  return widthOf(plainText(text)) * em * size
}

/** Width for the widest of some names plus `beside`, at most `max`. */
export function nameRoom(names: readonly string[], beside: number, max: number): number {
  return Math.ceil(Math.min(max, beside + Math.max(0, ...names.map((name) => textWidth(name, textSize)))))
}

/**
 * Options of a mark of text. Of a name that does not fit `width` the middle is left out, since names often differ only
 * at their ends; its tooltip is the full name.
 */
export function named<Row>(nameOf: (row: Row) => string, width: number, fontSize: number) {
  const text = (row: Row): string => shorten(nameOf(row), width, fontSize)
  return { fontSize, text, title: (row: Row) => (text(row).includes('…') ? nameOf(row) : undefined) }
}

const maxLetters = 200

/** A name without its middle if it does not fit a width at a size of type. */
export function shorten(name: string, width: number, size: number): string {
  const fitting = (width * [...name].length) / textWidth(name, size)
  return withoutMiddle(name, Math.min(fitting || Infinity, maxLetters))
}

/** A list in pieces of a size; the last one may be shorter. */
export function chunks<Of>(all: readonly Of[], size: number): Of[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/** The name of a model, with that of its agent if there are several. */
export function subjectName(
  { agents }: Aggregate,
  { model, agent }: { readonly model: string; readonly agent: string },
): string {
  return agents.length > 1 ? `${model} · ${agent}` : model
}

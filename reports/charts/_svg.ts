import type { Aggregate } from '../../src/results/aggregate.js'
import { plainText, widthOf } from '../../src/tables/plain.js'
import type { Colour } from './palette.js'
import { light } from './palette.js'

/** Attributes of an element; undefined ones are left out. `fill` and `stroke` are names of colours. */
interface Attributes {
  readonly [name: string]: string | number | undefined
  readonly fill?: Colour | 'none'
  readonly stroke?: Colour | 'none'
}

/** One SVG element with the light values of its colours; children are SVG already. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${attributeValue(key, value)}"`,
  )
  return `<${name}${written.join('')}${children.length === 0 ? '/>' : `>${children.join('')}</${name}>`}`
}

function attributeValue(key: string, value: string | number): string {
  if (typeof value === 'number') return key === 'data-value' ? String(value) : number(value)
  return (key === 'fill' || key === 'stroke') && value !== 'none' ? light[value as Colour] : escapeText(value)
}

/** Untrusted text as XML, without characters that change the direction of writing or that XML does not allow. */
export function escapeText(text: string): string {
  return plainText(text)
    .replace(/[\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}

/** A position or length with at most two decimals, without trailing zeros. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100 + 0)
}

/** The width of most letters in ems, rather too large than too small. */
const em = 0.6

/** The estimated width of a text at a size, in the chart's units. */
export function textWidth(text: string, size: number): number {
  return widthOf(plainText(text)) * em * size
}

/** Width for the widest of some names plus `beside`, at most `max`. */
export function nameRoom(names: readonly string[], size: number, beside: number, max: number): number {
  return Math.ceil(Math.min(max, beside + Math.max(0, ...names.map((name) => textWidth(name, size)))))
}

/**
 * Text with its baseline on `y`, in ink unless `fill` is given. Of a text that does not fit `width` the middle is left
 * out, since names often differ only at their ends; its tooltip is the full text.
 */
export function label(
  text: string,
  { width = Infinity, size = 11, ...attributes }: Attributes & { readonly width?: number; readonly size?: number },
): string {
  const letters = [...plainText(text)]
  const isWhole = letters.length <= maxLetters && textWidth(text, size) <= width
  const kept = Math.max(0, Math.min(width / (textWidth(text, size) / letters.length), maxLetters) - 1) / 2
  const shown = isWhole
    ? letters
    : [...letters.slice(0, Math.ceil(kept)), '…', ...letters.slice(letters.length - Math.floor(kept))]
  const full = isWhole ? '' : element('title', {}, escapeText(text))
  return element('text', { 'font-size': size, ...attributes }, full + escapeText(shown.join('')))
}

const maxLetters = 200

/** A linear function from values to positions in the drawing. */
export type Scale = (value: number) => number

/** The scale that puts `from` at `start` and `to` at `end`; everything is at `start` if `from` equals `to`. */
export function linearScale(from: number, to: number, start: number, end: number): Scale {
  const slope = to === from ? 0 : (end - start) / (to - from)
  return (value) => start + slope * (value - from)
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

/** A chart without its frame; the marks are in a box of {@link chartWidth} × `height`. */
export interface Drawing {
  /** Absent if the chart shows all environments of the run. */
  readonly environment?: string
  /** Title without the environment: `Change under perturbation`. */
  readonly what: string
  /** Sentences that explain the marks. */
  readonly notes: readonly string[]
  readonly height: number
  readonly marks: string
}

/**
 * Width of every chart in its own units: in a paper's column (about 241 points wide) its smallest letters are still 5.5
 * points high.
 */
export const chartWidth = 440

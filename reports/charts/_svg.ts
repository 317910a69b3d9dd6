import { plainText } from '../../src/tables/plain.js'
import type { Colour } from './palette.js'
import { light } from './palette.js'

/** Attributes of an element; undefined ones are left out. `fill` and `stroke` are names of colours. */
export interface Attributes {
  readonly [name: string]: string | number | undefined
  readonly fill?: Colour | 'none'
  readonly stroke?: Colour | 'none'
}

/**
 * One SVG element; children are SVG already. A colour becomes a class for the style sheet and an attribute with its
 * light value for converters to PDF, many of which do not support custom properties.
 */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const classes = (['fill', 'stroke'] as const).flatMap((kind) => {
    const colour = attributes[kind]
    return colour === undefined || colour === 'none' ? [] : [`${kind}-${colour}`]
  })
  const all = { ...(classes.length > 0 && { class: classes.join(' ') }), ...attributes }
  const written = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${attributeValue(key, value!)}"`)
    .join('')
  const inside = children.join('')
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`
}

/**
 * Untrusted text as XML, without markup, characters that change the direction of writing, and characters that XML does
 * not allow.
 */
export function escapeText(text: string): string {
  if (/^[ !#-%(-;=?-~]*$/.test(text)) return text
  return plainText(text)
    .replace(/[\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}

/** A position or length with at most two decimals, without trailing zeros. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100 + 0)
}

function attributeValue(key: string, value: string | number): string {
  if (typeof value === 'number') return key.startsWith('data-') ? String(value) : number(value)
  if ((key === 'fill' || key === 'stroke') && value !== 'none') return light[value as Colour]
  return escapeText(value)
}

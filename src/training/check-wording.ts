import { parseTemplate, printForm, slotNames } from '../core/form.js'

const numbers = /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/gi

/** A text that is to be worded in another way. */
export interface Original {
  readonly text: string
  /** An action is typed, so it must be told apart from others. */
  readonly isAction: boolean
  /** Names of items and their kinds; those that stand in the text must stand in its other wordings. */
  readonly names: readonly string[]
}

/**
 * Compares another wording with the original: every slot, number and name must be in it as often as in the original.
 * @returns what is wrong with it, or undefined
 */
export function checkWording({ text, isAction, names }: Original, wording: string): string | undefined {
  if (/\p{Cc}/u.test(wording)) return 'it has control characters'
  if (wording.length > 3 * text.length + 100) return 'it is more than three times as long'
  if (plain(wording) === plain(text)) return 'it is the original'
  const { literals } = parseTemplate(wording)
  const slotsOf = (one: string): string => [...slotNames(one)].sort().join(' ')
  if (slotsOf(wording) !== slotsOf(text) || /[{}]/.test(literals.join(''))) return 'its slots differ'
  if (numbersIn(wording) !== numbersIn(text)) return 'its numbers differ'
  const lost = names.find((name) => count(text, name) > 0 && count(wording, name) === 0)
  if (lost !== undefined) return `it lacks '${lost}'`
  if (!isAction) return undefined
  if (!/\p{L}/u.test(literals.join(''))) return 'it has no word of its own'
  const isOpen = ({ literals: between }: { readonly literals: readonly string[] }): boolean =>
    between.slice(1, -1).some((literal) => literal.trim() === '')
  return isOpen({ literals }) && !isOpen(parseTemplate(text)) ? 'no word stands between its items' : undefined
}

/** A template for comparison: slots without names, one letter case, single blanks. */
export function plain(text: string): string {
  return printForm(text, () => '{}')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!]$/, '')
    .trim()
}

function numbersIn(text: string): string {
  return JSON.stringify((text.toLowerCase().match(numbers) ?? []).sort())
}

/** How often a name stands in a text by itself. */
function count(text: string, name: string): number {
  const [whole, part] = [text, name].map(
    (one) =>
      ` ${one
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
  )
  return whole!.split(part!).length - 1
}

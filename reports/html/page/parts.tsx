import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { grouped } from '../../../src/tables/words.js'
import { visible } from '../visible.js'

const maxCharacters = 2000

/** Untrusted text of any length; a button shows what is beyond the first 2,000 characters. */
export function LongText({ text, kind = '' }: { readonly text: string; readonly kind?: string }): VNode {
  const [isOpen, setOpen] = useState(false)
  const isWhole = isOpen || text.length <= maxCharacters
  // A surrogate pair is not split.
  const shown = isWhole ? text : `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…`
  return (
    <>
      <div dir="auto" class={`text ${kind}`}>
        {visible(shown)}
      </div>
      {!isWhole && (
        <button type="button" class="more" onClick={() => setOpen(true)}>
          Show all {grouped(text.length)} characters
        </button>
      )}
    </>
  )
}

/** An outcome in words, coloured by whether it is a success, a failure or an error. */
export function outcomeBadge(outcome: string): VNode {
  const kind = outcome === 'success' ? 'success' : outcome.endsWith('-error') ? 'broken' : 'failure'
  return <span class={`outcome ${kind}`}>{outcome.replace('-', ' ')}</span>
}

/** The message of something thrown. */
export function Failure({ thrown }: { readonly thrown: unknown }): VNode {
  return <p class="warning">{thrown instanceof Error ? thrown.message : String(thrown)}</p>
}

/** The element with an id that must be on the page. */
export function byId(id: string): HTMLElement {
  const target = document.getElementById(id)
  if (target === null) throw new Error(`Expected an element with the id ${id} on this page. Make the report again.`)
  return target
}

/** A share of 1 as a whole percentage. */
export function percent(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

import { type ComponentChildren, type VNode, h } from 'preact'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { severities } from '../../../src/results/schema.js'
import type { Identity } from '../../../src/results/summary/identity.js'
import { grouped, listWords } from '../../../src/tables/words.js'
import { untrusted } from '../visible.js'

/** Longer facts are folded. */
const maxFact = 110

/** What was run: short facts in a line or two, long ones folded. */
export function identityList(aggregate: Aggregate): VNode {
  const { identity } = aggregate
  const isLong = ({ name, value }: Identity): boolean => value.length > maxFact && name !== 'Cost'
  const facts = (some: readonly Identity[]): VNode => (
    <dl class="identity">
      {some.map(({ name, value }) => (
        <div>
          <dt>{name}</dt>
          <dd>{untrusted(value)}</dd>
        </div>
      ))}
    </dl>
  )
  const long = identity.filter(isLong)
  const names = long.map(({ name }, place) => (place === 0 ? name : name.toLowerCase()))
  return (
    <>
      {facts(identity.filter((fact) => !isLong(fact)))}
      {long.length > 0 && details('experiment', `${listWords(names)} in full`, facts(long))}
    </>
  )
}

/** That control models are instruments, where there are some. */
export function controlNote({ controls = [], models }: Aggregate): VNode | false {
  const areAll = controls.length === models.length
  const text = areAll
    ? 'All models are control models: instruments, not language models.'
    : `Control models are instruments, not language models: ${listWords(controls)}.`
  return controls.length > 0 && <p class="controls">{untrusted(text)}</p>
}

/** With more warnings and notes, or more headlines, than this, the rest is folded; errors never are. */
const maxNotices = 2
const maxHeadlines = 5

/** A list of items of which those beyond `max` are folded; a single one is not. */
function foldedList<Item>(
  items: readonly Item[],
  max: number,
  { kind, noun }: Readonly<Record<'kind' | 'noun', string>>,
  list: (some: readonly Item[], isOpen: boolean) => VNode,
): (VNode | false)[] {
  const open = items.length > max + 1 ? max : items.length
  const folded = items.slice(open)
  return [
    open > 0 && list(items.slice(0, open), true),
    folded.length > 0 && details(kind, `${grouped(folded.length)} more ${noun}`, list(folded, false)),
  ]
}

/**
 * What a reader must know before any figure: errors in full, then warnings and notes, then what was left out, most of
 * them folded.
 */
export function noticeList({ notices, omitted }: Aggregate): VNode | undefined {
  const shown = [
    ...severities.flatMap((severity) => notices.filter((notice) => notice.severity === severity)),
    ...omitted.map((text) => ({ severity: 'note' as const, text })),
  ]
  if (shown.length === 0) return undefined
  const list = (some: readonly (typeof shown)[number][], kind?: string): VNode => (
    <ul class={kind}>
      {some.map(({ severity, text }) => (
        <li>
          <strong>{`${severity[0]!.toUpperCase()}${severity.slice(1)}: `}</strong>
          {untrusted(text)}
        </li>
      ))}
    </ul>
  )
  const errors = shown.filter(({ severity }) => severity === 'error')
  const rest = shown.slice(errors.length)
  return (
    <section class="notices" aria-label="Read this first">
      {errors.length > 0 && list(errors, 'errors')}
      {foldedList(rest, maxNotices, { kind: 'warnings', noun: 'notices' }, (some, isOpen) =>
        list(some, isOpen ? 'warnings' : undefined),
      )}
    </section>
  )
}

/** A sentence for each model, the largest drop first. */
export function headlineList({ headlines }: Aggregate): ComponentChildren {
  return foldedList(headlines, maxHeadlines, { kind: 'headlines-more', noun: 'sentences' }, (some) => (
    <ul class="headlines">{some.map(({ kind, text }) => h('li', { class: kind }, untrusted(text)))}</ul>
  ))
}

export function details(kind: string, summary: string, content: ComponentChildren): VNode {
  return (
    <details class={kind}>
      <summary>{summary}</summary>
      {content}
    </details>
  )
}

import type { ComponentChildren, VNode } from 'preact'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { describeAdversarial } from '../../../src/results/conditions.js'
import { groupBy } from '../../../src/results/lists.js'
import { percent, points } from '../../../src/results/summary/figures.js'
import { listFirst, listWords } from '../../../src/tables/words.js'
import { untrusted } from '../visible.js'
import { type Affected, type Effect, counts } from './effects.js'
import { subjectName } from './robustness-table.js'
import { details } from './top.js'

/**
 * A card for each model and agent in each environment, the most harmed first: clean and lowest success, verdict and
 * reasons. Cards without a significant drop are last and folded.
 */
export function modelCards(aggregate: Aggregate, subjects: readonly Affected[]): VNode[] {
  const cards = (some: readonly Affected[]): VNode => (
    <div class="cards">{some.map((subject) => card(aggregate, subject))}</div>
  )
  return [...groupBy(subjects, ({ environment }) => environment)].map(([environment, here], _, { length }) => {
    const harmed = here.filter(isHarmed)
    const harmless = here.filter((subject) => !isHarmed(subject))
    const isFolded = harmed.length > 0 && harmless.length > 0
    return (
      <div class="environment">
        {length > 1 && <h3>{untrusted(environment)}</h3>}
        {cards(isFolded ? harmed : here)}
        {isFolded && (
          <details class="harmless">
            <summary>No significant drop: {untrusted(listFirst(harmless.map(({ model }) => model)))}</summary>
            {cards(harmless)}
          </details>
        )}
      </div>
    )
  })
}

function isHarmed({ effects }: Affected): boolean {
  return effects.some((effect) => counts(effect) && effect.verdict.kind === 'worse')
}

function card(aggregate: Aggregate, subject: Affected): VNode {
  const { effects, clean } = subject
  const counted = effects.filter(counts)
  const worst = counted.find(({ family }) => family.success.mean !== undefined)
  const rate = (label: ComponentChildren, share: number | undefined): VNode => (
    <div>
      <dt>{label}</dt>
      <dd>{share === undefined ? '–' : percent(share)}</dd>
    </div>
  )
  const remarks =
    clean === undefined
      ? ['No clean twin was played, so there is nothing to compare with.']
      : effects.some(({ family }) => !family.identity)
        ? describeAdversarial(aggregate.conditions)
        : ['No perturbation was played.']
  const lowest = worst && <>lowest, under {untrusted(worst.family.family)}</>
  return (
    <article class={`card ${worst?.verdict.kind ?? 'unknown'}`}>
      <h4>{subjectName(aggregate, subject)}</h4>
      <dl class="headline">
        {rate('clean success', clean?.pooled.success.mean)}
        {worst && rate(lowest, worst.family.success.perturbed)}
      </dl>
      {remarks.map((text) => (
        <p class="summary">{text}</p>
      ))}
      {worst && sentences(worst)}
      {others(counted, worst)}
    </article>
  )
}

function sentences({ family, verdict: { title, figures, remark }, reasons }: Effect): VNode {
  return (
    <>
      <p>
        <strong>
          {title} under {untrusted(family.family)}
        </strong>
        {figures === undefined ? '.' : `: ${figures}.`}
        {remark !== undefined && ` ${remark}`}
      </p>
      {reasons.length > 0 && <p class="why">{reasons.join(' ')}</p>}
    </>
  )
}

/** The other families with a significant change, and folded those without, with their verdicts. */
function others(all: readonly Effect[], worst: Effect | undefined): ComponentChildren {
  const isClear = ({ verdict: { kind } }: Effect): boolean => kind === 'worse' || kind === 'better'
  const clear = all.filter((effect) => isClear(effect) && effect !== worst)
  const rest = all.filter((effect) => !isClear(effect))
  const inPoints = clear.map(({ family }) => `${points(family.success.mean!)} under ${family.family}`)
  const names = rest.map(({ family, verdict }) => `${family.family} (${verdict.title.toLowerCase()})`)
  const summary = `No significant change under ${String(rest.length)} of ${String(all.length)}`
  return [
    clear.length > 0 && <p>Also {untrusted(listWords(inPoints))}.</p>,
    rest.length > 0 && details('equal', summary, <p>{untrusted(listWords(names))}</p>),
  ]
}

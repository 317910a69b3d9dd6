import type { ComponentChildren, VNode } from 'preact'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { describeAdversarial } from '../../../src/results/conditions.js'
import { percent, points } from '../../../src/results/summary/figures.js'
import { listFirst, listWords } from '../../../src/tables/words.js'
import { untrusted } from '../visible.js'
import type { Affected, Effect } from './effects.js'
import { counts } from './effects.js'
import { describeEffect, familyLink } from './robustness-table.js'
import type { Change } from '../../../src/results/summary/findings.js'

/**
 * A card for each model and agent in each environment, the most harmed first: clean and lowest success, verdict,
 * reasons, and the families that changed something. Cards without a significant drop are last and folded.
 */
export function modelCards(aggregate: Aggregate, subjects: readonly Affected[]): VNode[] {
  const scale = scaleOf(
    subjects.flatMap(({ effects }) => effects.flatMap(({ family }) => changeOf(family.success) ?? [])),
  )
  const environments = [...new Set(subjects.map(({ environment }) => environment))]
  const withAgent = new Set(subjects.map(({ agent }) => agent)).size > 1
  const cards = (some: readonly Affected[]): VNode => (
    <div class="cards">
      {some.map((subject) => (
        <Card {...{ aggregate, subject, withAgent, scale }} />
      ))}
    </div>
  )
  return environments.map((environment) => {
    const here = subjects.filter((subject) => subject.environment === environment)
    const harmed = here.filter(isHarmed)
    const harmless = here.filter((subject) => !isHarmed(subject))
    const isFolded = harmed.length > 0 && harmless.length > 0
    return (
      <div class="environment">
        {environments.length > 1 && <h3>{untrusted(environment)}</h3>}
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

function changeOf({ mean, interval }: Effect['family']['success']) {
  return mean === undefined ? undefined : { mean, ...(interval && { interval }) }
}

interface CardProps {
  readonly aggregate: Aggregate
  readonly subject: Affected
  readonly withAgent: boolean
  readonly scale: Scale
}

function Card({ aggregate, subject, withAgent, scale }: CardProps): VNode {
  const { model, agent, heldIn, effects, clean } = subject
  const worst = effects.find((effect) => counts(effect) && effect.family.success.mean !== undefined)
  const rate = (label: ComponentChildren, share: number | undefined): VNode => (
    <div>
      <dt>{label}</dt>
      <dd>{share === undefined ? '–' : percent(share)}</dd>
    </div>
  )
  const lowest = worst && <>lowest, under {untrusted(worst.family.family)}</>
  return (
    <article class={`card ${worst?.verdict.kind ?? 'unknown'}`}>
      <h4>
        {untrusted(model)}
        {withAgent && (
          <span class="muted">
            {' with '}
            {untrusted(agent)}
          </span>
        )}
        {heldIn && <span class="muted"> trained on this environment</span>}
      </h4>
      <dl class="headline">
        {rate('clean success', clean?.pooled.success.mean)}
        {worst && rate(lowest, worst.family.success.perturbed)}
      </dl>
      {remarks(aggregate, subject).map((text) => (
        <p class="summary">{text}</p>
      ))}
      {worst && sentences(worst)}
      {forest(subject, scale)}
      {others(subject)}
    </article>
  )
}

function remarks({ conditions }: Aggregate, { clean, effects }: Affected): readonly string[] {
  if (clean === undefined) return ['No clean twin was played, so there is nothing to compare with.']
  if (!effects.some(({ family }) => !family.identity)) return ['No perturbation was played.']
  return describeAdversarial(conditions)
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

/** Rows that say something of their own: those that hold, changed nothing or were not measured are folded instead. */
function hasRow({ family, verdict: { kind } }: Effect): boolean {
  return kind === 'worse' || kind === 'better' || (kind === 'unclear' && family.success.mean !== 0 && !family.identity)
}

function forest(subject: Affected, scale: Scale): VNode | undefined {
  const shown = subject.effects.filter(hasRow)
  if (shown.length === 0) return undefined
  return (
    <table class="forest">
      <caption>Change of success in points</caption>
      <tbody>
        {shown.map((effect) => {
          const { family, verdict } = effect
          const change = changeOf(family.success)!
          return (
            <tr class={verdict.kind} title={describeEffect(subject, effect)}>
              <th scope="row">{familyLink(subject, family, untrusted(family.family))}</th>
              <td>{intervalBar(change, scale, verdict.kind)}</td>
              <td class="number">{points(change.mean)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The other families with their verdicts, folded. */
function others({ effects }: Affected): VNode | false {
  const rest = effects.filter((effect) => !hasRow(effect) && counts(effect))
  const names = rest.map(({ family, verdict }) => `${family.family} (${verdict.title.toLowerCase()})`)
  return (
    rest.length > 0 && (
      <details class="equal">
        <summary>{`No significant change under ${String(rest.length)} of ${String(effects.filter(counts).length)}`}</summary>
        <p>{untrusted(listWords(names))}</p>
      </details>
    )
  )
}

/** The range of bars of differences, in shares of 1. */
interface Scale {
  readonly low: number
  readonly high: number
}

const width = 200
const height = 14
const middle = height / 2

/** A scale for several bars that includes zero, rounded outwards to ten points. */
function scaleOf(bars: readonly Change[]): Scale {
  const ends = bars.flatMap(({ mean, interval }) => [mean, interval?.low ?? mean, interval?.high ?? mean])
  return {
    low: Math.floor(10 * Math.min(-0.1, ...ends)) / 10,
    high: Math.ceil(10 * Math.max(0.1, ...ends)) / 10,
  }
}

/**
 * A dot with its interval on a line with a mark at zero. The figures are written beside it, so it is hidden from screen
 * readers.
 */
function intervalBar({ mean, interval }: Change, scale: Scale, kind: string): VNode {
  const at = (share: number): string => {
    const inside = Math.min(scale.high, Math.max(scale.low, share))
    return (4 + ((inside - scale.low) / (scale.high - scale.low)) * (width - 8)).toFixed(1)
  }
  const zero = at(0)
  return (
    <svg class={`bar ${kind}`} viewBox={`0 0 ${String(width)} ${String(height)}`} aria-hidden="true">
      <line class="bar-axis" x1={4} x2={width - 4} y1={middle} y2={middle} />
      <line class="bar-zero" x1={zero} x2={zero} y1={1} y2={height - 1} />
      {interval && <line class="bar-interval" x1={at(interval.low)} x2={at(interval.high)} y1={middle} y2={middle} />}
      <circle class="bar-mean" cx={at(mean)} cy={middle} r={3.5} />
    </svg>
  )
}

import type { Aggregate, Group } from '../../../src/results/aggregate.js'
import { grouped } from '../../../src/tables/words.js'
import type { Child, Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import { wellFormed } from '../visible.js'
import { percent, points } from '../../../src/results/summary/figures.js'
import type { Finding, Subject } from '../../../src/results/summary/findings.js'
import { figuresOf } from '../../../src/results/summary/findings.js'
import type { Scale } from './interval-bar.js'
import { intervalBar, scaleOf } from './interval-bar.js'

/**
 * A link to the episodes of a group, or of several where a name is left out: all of them, or those whose success was
 * lost or gained against the clean twin.
 */
export function episodesLink(
  { environment, model, agent, column }: Partial<Pick<Group, 'environment' | 'model' | 'agent' | 'column'>>,
  text: Child,
  change?: 'lost' | 'gained',
): Markup {
  const fields = Object.entries({ environment, model, agent, column, ...(change && { change }) })
  const query = fields
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(wellFormed(value))}`))
    .join('&')
  return element('a', { href: `#episodes?${query}` }, text)
}

/** Every perturbation of every model in one sortable, filterable table, with verdict and reasons. */
export function changesTable(aggregate: Aggregate, subjects: readonly Subject[]): Markup {
  const findings = subjects.flatMap((subject) => subject.findings)
  const scale = scaleOf(findings.flatMap((finding) => figuresOf(finding) ?? []))
  const several = { environment: aggregate.environments.length > 1, agent: aggregate.agents.length > 1 }
  const heads = [
    ...(several.environment ? [choice('Environment')] : []),
    choice('Model'),
    ...(several.agent ? [choice('Agent')] : []),
    choice('Column'),
    number('Clean'),
    number('Perturbed'),
    number('Change'),
    element('th', { scope: 'col' }, '95 % interval'),
    number('Holm p'),
    choice('Verdict'),
    number('Lost'),
    number('Gained'),
    element('th', { scope: 'col' }, 'Why'),
  ]
  return element(
    'table',
    { class: 'grid', 'data-sortable': true, 'data-filters': 'changes' },
    element('thead', {}, element('tr', {}, heads)),
    element(
      'tbody',
      {},
      findings.map((finding) => row(finding, scale, several)),
    ),
  )
}

function choice(title: string): Markup {
  return element('th', { scope: 'col', 'data-choice': true }, title)
}

function number(title: string): Markup {
  return element('th', { scope: 'col', class: 'number' }, title)
}

function row(
  finding: Finding,
  scale: Scale,
  several: { readonly environment: boolean; readonly agent: boolean },
): Markup {
  const { group, clean, verdict, reasons, column } = finding
  const difference = group.pooled.difference!
  const figures = figuresOf(finding)
  const p = difference.tests?.success.holm
  const figure = (value: number | undefined, text: string): Markup =>
    element('td', { class: 'number', 'data-value': value }, value === undefined ? '–' : text)
  const flips = (change: 'lost' | 'gained'): Markup => {
    const flipped = difference.flips?.[change]
    return element(
      'td',
      { class: 'number', 'data-value': flipped },
      flipped === undefined ? '–' : flipped === 0 ? 0 : episodesLink(group, grouped(flipped), change),
    )
  }
  return element(
    'tr',
    { class: verdict.kind },
    several.environment && name(group.environment),
    name(group.model),
    several.agent && name(group.agent),
    element(
      'th',
      { scope: 'row', 'data-value': group.column },
      episodesLink(group, untrusted(group.column)),
      column.identity && element('span', { class: 'muted' }, ' identity'),
      column.adversarial && element('span', { class: 'muted' }, ' adversarial'),
    ),
    figure(clean.pooled.success.mean, percent(clean.pooled.success.mean ?? 0)),
    figure(group.pooled.success.mean, percent(group.pooled.success.mean ?? 0)),
    figure(figures?.mean, points(figures?.mean ?? 0)),
    element(
      'td',
      { class: 'interval', 'data-value': figures?.mean },
      figures && intervalBar(figures, scale, verdict.kind),
      figures?.interval && element('span', {}, `${points(figures.interval.low)} to ${points(figures.interval.high)}`),
    ),
    figure(p, p === undefined ? '' : p < 0.001 ? '< 0.001' : p.toFixed(3)),
    element(
      'td',
      { 'data-value': verdict.title },
      element('span', { class: `verdict ${verdict.kind}` }, verdict.title),
    ),
    flips('lost'),
    flips('gained'),
    element('td', { class: 'why' }, [...reasons, ...(verdict.remark === undefined ? [] : [verdict.remark])].join(' ')),
  )
}

function name(text: string): Markup {
  return element('th', { scope: 'row', 'data-value': text }, untrusted(text))
}

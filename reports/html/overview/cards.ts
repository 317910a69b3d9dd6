import type { Child, Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import { episodesLink } from './episodes-link.js'
import { percent, points } from './figures.js'
import type { Finding, Subject } from './findings.js'
import { worstOf } from './findings.js'
import type { BarFigures, Scale } from './interval-bar.js'
import { intervalBar, scaleOf } from './interval-bar.js'
import { sumUpAll, sumUpOne } from './sum-up.js'

/** One card for each model and agent in each environment: what broke, how sure that is, and why. */
export function overviewCards(subjects: readonly Subject[]): Markup[] {
  return [...sumUpAll(subjects), ...cardsByEnvironment(subjects)]
}

function cardsByEnvironment(subjects: readonly Subject[]): Markup[] {
  const scale = scaleOf(subjects.flatMap(({ findings }) => findings).flatMap((finding) => figuresOf(finding) ?? []))
  const environments = [...new Set(subjects.map(({ environment }) => environment))]
  const severalAgents = new Set(subjects.map(({ agent }) => agent)).size > 1
  const withForest = subjects.length <= maxForests
  return environments.map((environment) =>
    element(
      'div',
      { class: 'environment' },
      environments.length > 1 && element('h3', {}, untrusted(environment)),
      element(
        'div',
        { class: 'cards' },
        subjects
          .filter((subject) => subject.environment === environment)
          .map((subject) => card(subject, severalAgents, withForest ? scale : undefined)),
      ),
    ),
  )
}

/** With more cards than this their bars are left to the table below. */
const maxForests = 12

function card(subject: Subject, withAgent: boolean, scale: Scale | undefined): Markup {
  const worst = worstOf(subject)
  return element(
    'article',
    { class: `card ${worst?.verdict.kind ?? 'unknown'}` },
    element(
      'h4',
      {},
      untrusted(subject.model),
      withAgent && element('span', { class: 'muted' }, ' with ', untrusted(subject.agent)),
      subject.heldIn && element('span', { class: 'muted' }, ' trained on this environment'),
    ),
    headline(subject, worst),
    sumUpOne(subject),
    ...(worst === undefined ? [] : sentences(worst)),
    scale && forest(subject, scale),
  )
}

function headline({ clean }: Subject, worst: Finding | undefined): Markup {
  const rate = (label: Child, share: number | undefined): Markup =>
    element('div', {}, element('dt', {}, label), element('dd', {}, share === undefined ? '–' : percent(share)))
  return element(
    'dl',
    { class: 'headline' },
    rate('clean success', clean?.pooled.success.mean),
    worst && rate(['lowest, under ', untrusted(worst.group.column)], worst.group.pooled.success.mean),
  )
}

function sentences({ group, verdict, reasons }: Finding): Markup[] {
  const { figures, says, remark } = verdict
  return [
    element(
      'p',
      {},
      element('strong', {}, `${says} under `, untrusted(group.column)),
      figures === undefined ? '.' : `: ${figures}.`,
      remark !== undefined && ` ${remark}`,
    ),
    ...(reasons.length === 0 ? [] : [element('p', { class: 'why' }, reasons.join(' '))]),
  ]
}

function forest({ findings }: Subject, scale: Scale): Markup | undefined {
  const rows = findings.flatMap((finding) => {
    const figures = figuresOf(finding)
    return element(
      'tr',
      { class: finding.verdict.kind },
      element('th', { scope: 'row' }, episodesLink(finding.group, untrusted(finding.group.column))),
      element('td', {}, figures && intervalBar(figures, scale, finding.verdict.kind)),
      element(
        'td',
        { class: 'number' },
        figures === undefined ? finding.verdict.says.toLowerCase() : points(figures.mean),
      ),
    )
  })
  if (rows.length === 0) return undefined
  return element(
    'table',
    { class: 'forest' },
    element('caption', {}, 'Change of success in points'),
    element('tbody', {}, rows),
  )
}

/** The figures of a finding that its bar shows; undefined where there are none. */
export function figuresOf({ group }: Finding): BarFigures | undefined {
  const success = group.pooled.difference?.success
  if (success?.mean === undefined) return undefined
  return { mean: success.mean, ...(success.interval && { interval: success.interval }) }
}

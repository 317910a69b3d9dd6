import { describeAdversarial, isAveraged } from '../../aggregate/columns.js'
import { count } from '../../../src/tables/words.js'
import type { Child, Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import { episodesLink } from './changes.js'
import { percent, points } from '../../summary/figures.js'
import type { Finding, Subject } from '../../summary/findings.js'
import { figuresOf, worstOf } from '../../summary/findings.js'
import type { Scale } from './interval-bar.js'
import { intervalBar, scaleOf } from './interval-bar.js'
import type { VerdictKind } from '../../summary/verdict.js'

/** One card for each model and agent in each environment: verdict, figures and reasons of the worst perturbation. */
export function overviewCards(subjects: readonly Subject[]): Markup[] {
  const scale = scaleOf(subjects.flatMap(({ findings }) => findings).flatMap((finding) => figuresOf(finding) ?? []))
  const environments = [...new Set(subjects.map(({ environment }) => environment))]
  const severalAgents = new Set(subjects.map(({ agent }) => agent)).size > 1
  const withForest = subjects.length <= maxForests
  const cards = environments.map((environment) =>
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
  return [...summarizeAll(subjects), ...cards]
}

/** With more cards than this, bars are only in the table of changes. */
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
    summarize(subject),
    ...(worst === undefined ? [] : sentences(worst)),
    scale && forest(subject, scale),
  )
}

/** `1 of 3 models is significantly worse under at least one perturbation.` Nothing for a single card. */
function summarizeAll(subjects: readonly Subject[]): Markup[] {
  const compared = subjects.filter(({ findings }) => findings.some(({ column }) => isAveraged(column)))
  if (compared.length < 2) return []
  const worse = compared.filter(({ findings }) =>
    findings.some(({ column, verdict }) => isAveraged(column) && verdict.kind === 'worse'),
  )
  const number = worse.length === 0 ? 'None' : String(worse.length)
  const are = worse.length === 1 ? 'is' : 'are'
  const differOnlyInModel = (['environment', 'agent'] as const).every(
    (field) => new Set(compared.map((subject) => subject[field])).size === 1,
  )
  const noun = differOnlyInModel ? 'models' : 'cards below'
  const text = `${number} of ${String(compared.length)} ${noun} ${are} significantly worse under at least one perturbation.`
  return [element('p', { class: 'overall' }, text)]
}

/**
 * `Significantly worse under 3 of 4 perturbations; inconclusive under 1.` Nothing for a single perturbation, which has
 * a sentence of its own.
 */
function summarize({ clean, findings }: Subject): Markup | undefined {
  const paragraph = (text: string): Markup => element('p', { class: 'summary' }, text)
  if (clean === undefined) return paragraph('No clean twin was played, so there is nothing to compare with.')
  const perturbed = findings.filter(({ column }) => isAveraged(column))
  const apart = describeAdversarial(findings.map(({ column }) => column))
  if (perturbed.length === 0 && apart.length === 0) return paragraph('No perturbation was played.')
  if (perturbed.length < 2) return apart.length === 0 ? undefined : paragraph(apart.join(' '))
  const parts = order
    .map((kind) => perturbed.filter(({ verdict }) => verdict.kind === kind))
    .filter((alike) => alike.length > 0)
    .map((alike, index) => {
      const { title } = alike[0]!.verdict
      return index === 0
        ? `${title} under ${String(alike.length)} of ${count(perturbed.length, 'perturbation')}`
        : `${title.toLowerCase()} under ${String(alike.length)}`
    })
  return paragraph([`${parts.join('; ')}.`, ...apart].join(' '))
}

const order: readonly VerdictKind[] = ['worse', 'better', 'steady', 'unclear', 'unknown', 'untouched']

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
  const { figures, title, remark } = verdict
  return [
    element(
      'p',
      {},
      element('strong', {}, `${title} under `, untrusted(group.column)),
      figures === undefined ? '.' : `: ${figures}.`,
      remark !== undefined && ` ${remark}`,
    ),
    ...(reasons.length === 0 ? [] : [element('p', { class: 'why' }, reasons.join(' '))]),
  ]
}

function forest({ findings }: Subject, scale: Scale): Markup | undefined {
  if (findings.length === 0) return undefined
  const rows = findings.map((finding) => {
    const figures = figuresOf(finding)
    const { kind, title } = finding.verdict
    return element(
      'tr',
      { class: kind },
      element('th', { scope: 'row' }, episodesLink(finding.group, untrusted(finding.group.column))),
      element('td', {}, figures && intervalBar(figures, scale, kind)),
      element('td', { class: 'number' }, figures === undefined ? title.toLowerCase() : points(figures.mean)),
    )
  })
  return element(
    'table',
    { class: 'forest' },
    element('caption', {}, 'Change of success in points'),
    element('tbody', {}, rows),
  )
}

import type { Aggregate } from '../../../src/results/aggregate.js'
import { describeAdversarial } from '../../../src/results/columns.js'
import { count, listFirst } from '../../../src/tables/words.js'
import type { Child, Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import { percent, points } from '../../../src/results/summary/figures.js'
import type { Affected, Effect } from './effects.js'
import { counts } from './effects.js'
import type { Scale } from './interval-bar.js'
import { intervalBar, scaleOf } from './interval-bar.js'
import { describeEffect, familyLink } from './robustness-table.js'

/**
 * A card for each model and agent in each environment, the most harmed first: clean and lowest success, verdict,
 * reasons, and the families that changed something. Cards without a significant drop are last and folded.
 */
export function modelCards(aggregate: Aggregate, subjects: readonly Affected[]): Markup[] {
  const scale = scaleOf(
    subjects.flatMap(({ effects }) => effects.flatMap(({ family }) => changeOf(family.success) ?? [])),
  )
  const environments = [...new Set(subjects.map(({ environment }) => environment))]
  const severalAgents = new Set(subjects.map(({ agent }) => agent)).size > 1
  const cards = (some: readonly Affected[]): Markup =>
    element(
      'div',
      { class: 'cards' },
      some.map((subject) => card(aggregate, subject, severalAgents, scale)),
    )
  return environments.map((environment) => {
    const here = subjects.filter((subject) => subject.environment === environment)
    const harmed = here.filter(isHarmed)
    const harmless = here.filter((subject) => !isHarmed(subject))
    const isFolded = harmed.length > 0 && harmless.length > 0
    return element(
      'div',
      { class: 'environment' },
      environments.length > 1 && element('h3', {}, untrusted(environment)),
      cards(isFolded ? harmed : here),
      isFolded &&
        element(
          'details',
          { class: 'harmless' },
          element('summary', {}, 'No significant drop: ', untrusted(listFirst(harmless.map(({ model }) => model)))),
          cards(harmless),
        ),
    )
  })
}

function isHarmed({ effects }: Affected): boolean {
  return effects.some((effect) => counts(effect) && effect.verdict.kind === 'worse')
}

function changeOf({ mean, interval }: Effect['family']['success']) {
  return mean === undefined ? undefined : { mean, ...(interval && { interval }) }
}

function card(aggregate: Aggregate, subject: Affected, withAgent: boolean, scale: Scale): Markup {
  const worst = subject.effects.find((effect) => counts(effect) && effect.family.success.mean !== undefined)
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
    ...remarks(aggregate, subject),
    ...(worst === undefined ? [] : sentences(worst)),
    forest(subject, scale),
    ...folded(subject),
  )
}

function remarks({ columns }: Aggregate, { clean, effects }: Affected): Markup[] {
  const paragraph = (text: string): Markup => element('p', { class: 'summary' }, text)
  if (clean === undefined) return [paragraph('No clean twin was played, so there is nothing to compare with.')]
  if (!effects.some(({ family }) => !family.identity)) return [paragraph('No perturbation was played.')]
  return describeAdversarial(columns).map(paragraph)
}

function headline({ clean }: Affected, worst: Effect | undefined): Markup {
  const rate = (label: Child, share: number | undefined): Markup =>
    element('div', {}, element('dt', {}, label), element('dd', {}, share === undefined ? '–' : percent(share)))
  return element(
    'dl',
    { class: 'headline' },
    rate('clean success', clean?.pooled.success.mean),
    worst && rate(['lowest, under ', untrusted(worst.family.family)], worst.family.success.perturbed),
  )
}

function sentences({ family, verdict, reasons }: Effect): Markup[] {
  const { figures, title, remark } = verdict
  return [
    element(
      'p',
      {},
      element('strong', {}, `${title} under `, untrusted(family.family)),
      figures === undefined ? '.' : `: ${figures}.`,
      remark !== undefined && ` ${remark}`,
    ),
    ...(reasons.length === 0 ? [] : [element('p', { class: 'why' }, reasons.join(' '))]),
  ]
}

/** Rows that say something of their own: those that hold, changed nothing or were not measured are folded instead. */
function hasRow({ family, verdict: { kind } }: Effect): boolean {
  return kind === 'worse' || kind === 'better' || (kind === 'unclear' && family.success.mean !== 0 && !family.identity)
}

function forest(subject: Affected, scale: Scale): Markup | undefined {
  const shown = subject.effects.filter(hasRow)
  if (shown.length === 0) return undefined
  const rows = shown.map((effect) => {
    const { family, verdict } = effect
    const change = changeOf(family.success)!
    return element(
      'tr',
      { class: verdict.kind, title: describeEffect(subject, effect) },
      element('th', { scope: 'row' }, familyLink(subject, family, untrusted(family.family))),
      element('td', {}, intervalBar(change, scale, verdict.kind)),
      element('td', { class: 'number' }, points(change.mean)),
    )
  })
  return element(
    'table',
    { class: 'forest' },
    element('caption', {}, 'Change of success in points'),
    element('tbody', {}, rows),
  )
}

/** The other families, in a line for each verdict: `Holds under 5 of 9`, with their names when it is unfolded. */
function folded({ effects }: Affected): Markup[] {
  const others = effects.filter((effect) => !hasRow(effect))
  const compared = effects.filter(counts).length
  const controls = others.filter(({ family }) => family.identity)
  const line = (words: string, some: readonly Effect[]): Markup[] =>
    some.length === 0
      ? []
      : [
          element(
            'details',
            { class: 'equal' },
            element('summary', {}, words),
            element(
              'p',
              {},
              some.map(({ family }, place) => [place > 0 && ', ', untrusted(family.family)]),
            ),
          ),
        ]
  const alike = others.filter(counts)
  const titles = [...new Set(alike.map(({ verdict }) => verdict.title))]
  return [
    ...titles.flatMap((title) => {
      const some = alike.filter(({ verdict }) => verdict.title === title)
      return line(
        `${foldedWords[some[0]!.verdict.kind]?.(some.length, compared) ?? `${title.toLowerCase()} under ${String(some.length)} of ${String(compared)}`}`,
        some,
      )
    }),
    ...line(`${count(controls.length, 'control')}, not tested`, controls),
  ]
}

/** Words for verdicts whose title alone would be misread. */
const foldedWords: Readonly<Partial<Record<Effect['verdict']['kind'], (some: number, all: number) => string>>> = {
  untouched: (some) => `changed nothing: ${some === 1 ? '1 family' : `${String(some)} families`}`,
  unclear: (some, all) => `0.0 under ${String(some)} of ${String(all)}, inconclusive`,
}

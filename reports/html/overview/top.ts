import type { Aggregate } from '../../../src/results/aggregate.js'
import { severities } from '../../../src/results/notice-kinds.js'
import type { Headline } from '../../../src/results/summary/headlines.js'
import type { Identity } from '../../../src/results/summary/identity.js'
import { describeSpent } from '../../../src/results/summary/identity.js'
import { grouped, listWords } from '../../../src/tables/words.js'
import type { Child, Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import type { Affected } from './effects.js'
import { episodesLink } from './changes.js'
import { rowId } from './robustness-table.js'

/** What was run: short facts in a line or two, long ones folded; and what was spent on it. */
export function identityList(aggregate: Aggregate): Markup[] {
  const { identity } = aggregate
  const spent = describeSpent(aggregate)
  const isLong = ({ value }: Identity): boolean => value.length > maxFact
  const short = identity.filter((fact) => !isLong(fact) || fact.name === 'Cost')
  if (spent !== undefined && !short.some(({ name }) => name === 'Cost')) short.push({ name: 'Cost', value: '' })
  const facts = (some: readonly Identity[]): Markup =>
    element(
      'dl',
      { class: 'identity' },
      some.map(({ name, value }) =>
        element('div', {}, element('dt', {}, name), [
          ...(value === '' ? [] : [element('dd', {}, untrusted(value))]),
          ...(name === 'Cost' && spent !== undefined
            ? [element('dd', { class: 'spent' }, `${value === '' ? 'spent' : 'of'} in all `, untrusted(spent))]
            : []),
        ]),
      ),
    )
  const long = identity.filter((fact) => !short.includes(fact))
  return [
    facts(short),
    ...(long.length === 0
      ? []
      : [
          element(
            'details',
            { class: 'experiment' },
            element(
              'summary',
              {},
              `${listWords(long.map(({ name }, place) => (place === 0 ? name : name.toLowerCase())))} in full`,
            ),
            facts(long),
          ),
        ]),
  ]
}

/** That control models are instruments, where there are some. */
export function controlNote({ controls = [], models }: Aggregate): Markup | undefined {
  if (controls.length === 0) return undefined
  const text =
    controls.length === models.length
      ? 'All models are control models: instruments, not language models.'
      : `Control models are instruments, not language models: ${listWords(controls)}.`
  return element('p', { class: 'controls' }, untrusted(text))
}

/** Longer facts are folded. */
const maxFact = 110

/** Something to know before any figure. */
type ShownNotice = Pick<Aggregate['notices'][number], 'severity' | 'text'>

/**
 * What a reader must know before any figure: errors first, then warnings and notes, then what was left out. Empty for a
 * complete run without leaks.
 */
export function noticesOf({ notices, omitted }: Aggregate): ShownNotice[] {
  const note = (text: string): ShownNotice => ({ severity: 'note', text })
  return [
    ...severities.flatMap((severity) => notices.filter((notice) => notice.severity === severity)),
    ...omitted.slice(0, maxOmitted).map(note),
    ...(omitted.length > maxOmitted
      ? [note(`And ${grouped(omitted.length - maxOmitted)} more; report.json has all of them.`)]
      : []),
  ]
}

const maxOmitted = 12
/** With more warnings and notes than this, the rest is folded; errors never are. */
const maxNotices = 2

/** Errors in full, then warnings and notes, most of them folded. */
export function noticeList(aggregate: Aggregate): Markup | undefined {
  const notices = noticesOf(aggregate)
  const errors = notices.filter(({ severity }) => severity === 'error')
  const others = notices.filter(({ severity }) => severity !== 'error')
  if (notices.length === 0) return undefined
  const list = (some: readonly ShownNotice[], kind: string | false): Markup | false =>
    some.length > 0 &&
    element(
      'ul',
      { class: kind },
      some.map(({ severity, text }) =>
        element('li', {}, element('strong', {}, `${severityWords[severity]}: `), untrusted(text)),
      ),
    )
  const open = others.slice(0, others.length > maxNotices + 1 ? maxNotices : others.length)
  const folded = others.slice(open.length)
  return element(
    'section',
    { class: 'notices', 'aria-label': 'Read this first' },
    list(errors, 'errors'),
    list(open, 'warnings'),
    folded.length > 0 &&
      element(
        'details',
        { class: 'warnings' },
        element('summary', {}, `${grouped(folded.length)} more notices`),
        list(folded, false),
      ),
  )
}

const severityWords: Readonly<Record<ShownNotice['severity'], string>> = {
  error: 'Error',
  warning: 'Warning',
  note: 'Note',
}

/** With more headlines than this, the rest is folded. */
const maxHeadlines = 5

/** A sentence for each model, the largest drop first; names link to the model's row and to the family's episodes. */
export function headlineList({ headlines }: Aggregate, subjects: readonly Affected[]): Markup[] {
  const list = (some: readonly Headline[]): Markup =>
    element(
      'ul',
      { class: 'headlines', 'data-roving': true },
      some.map((headline) => element('li', { class: headline.kind }, sentence(headline, subjects))),
    )
  const folded = headlines.slice(headlines.length > maxHeadlines + 1 ? maxHeadlines : headlines.length)
  const open = headlines.slice(0, headlines.length - folded.length)
  return [
    ...(open.length > 0 ? [list(open)] : []),
    ...(folded.length > 0
      ? [
          element(
            'details',
            { class: 'headlines-more' },
            element('summary', {}, `${grouped(folded.length)} more ${folded.length === 1 ? 'sentence' : 'sentences'}`),
            list(folded),
          ),
        ]
      : []),
  ]
}

function sentence({ text, environment, agent, models, families }: Headline, subjects: readonly Affected[]): Child[] {
  const meant = subjects.filter(
    (one) =>
      models.includes(one.model) &&
      [undefined, one.environment].includes(environment) &&
      [undefined, one.agent].includes(agent),
  )
  const links = new Map<string, () => Markup>()
  for (const name of families) {
    const effect = meant[0]?.effects.find(({ family }) => family.family === name && family.pairs > 0)
    if (effect === undefined) continue
    const { lowest = effect.family.columns[0]! } = effect.family
    const where = meant.length === 1 ? meant[0]! : { ...(environment !== undefined && { environment }) }
    links.set(name, () => episodesLink({ ...where, column: lowest }, untrusted(name)))
  }
  for (const subject of meant) {
    links.set(subject.model, () => element('a', { href: `#${rowId(subjects, subject)}` }, untrusted(subject.model)))
  }
  return linkNames(text, links)
}

/** A text in which the first mention of each name is a link. Names are whole words. */
function linkNames(text: string, links: ReadonlyMap<string, () => Markup>): Child[] {
  let found: { readonly at: number; readonly name: string } | undefined
  for (const name of links.keys()) {
    const at = name === '' ? -1 : wordAt(text, name)
    if (at === -1) continue
    const isBetter = found === undefined || at < found.at || (at === found.at && name.length > found.name.length)
    if (isBetter) found = { at, name }
  }
  if (found === undefined) return text === '' ? [] : [untrusted(text)]
  const { at, name } = found
  const rest = new Map([...links].filter(([other]) => other !== name))
  return [
    ...(at === 0 ? [] : [untrusted(text.slice(0, at))]),
    links.get(name)!(),
    ...linkNames(text.slice(at + name.length), rest),
  ]
}

function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' ']
    if (/[\s(]/.test(before) && /[\s),;:.]/.test(after)) return at
  }
  return -1
}

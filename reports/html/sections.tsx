import type { ComponentChildren, VNode } from 'preact'
import type { StoredRun } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { count, grouped, listFirst, listWords, sentences } from '../../src/tables/words.js'
import type { Chart } from '../charts/charts-of.js'
import type { EpisodeList } from './list-episodes.js'
import { modelCards } from './overview/cards.js'
import { conditionsStrip, examplesOf } from './overview/conditions.js'
import { affectedBy } from './overview/effects.js'
import { robustnessTable } from './overview/robustness-table.js'
import { controlNote, headlineList, identityList, noticeList } from './overview/top.js'
import { untrusted } from './visible.js'

/** `tuned-8b: robustness of tuned and base on household`, without the name of a run that is that of its environment. */
export function headingOf({ name, environments, models }: Aggregate): string {
  const places = environments.map((environment) => environment.name)
  const names = models.map((model) => model.name)
  const what = `obustness of ${listFirst(names, 3)} on ${listWords(places)}`
  return name === undefined || places.includes(name) ? `R${what}` : `${name}: r${what}`
}

/** What a page shows. */
interface PageContent {
  readonly aggregate: Aggregate
  readonly run: StoredRun
  readonly list: EpisodeList
  /** How many of the listed episodes have their trajectory. */
  readonly withTrajectory: number
  readonly charts: readonly Chart[]
}

/** The visible part of the page before its script runs; the script draws the charts and lists the episodes. */
export function pageBody(content: PageContent): VNode {
  const { aggregate } = content
  const sections = sectionsOf(content)
  return (
    <>
      <nav class="skips" aria-label="Skip">
        <a href="#main">Skip to the results</a>
        <a href="#episodes">Skip to the episodes</a>
      </nav>
      <div id="page">
        <header class="top">
          <h1>{untrusted(headingOf(aggregate))}</h1>
          {identityList(aggregate)}
          {controlNote(aggregate)}
          {noticeList(aggregate)}
        </header>
        <nav class="top" aria-label="Sections">
          <ul>
            {sections.map(([id, title]) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          {sections.map(([id, title, shown]) => (
            <section id={id} tabIndex={-1}>
              <h2>{title}</h2>
              {shown}
            </section>
          ))}
        </main>
      </div>
      <main id="viewer" hidden />
      <footer>
        shaketable {aggregate.version}, plan {aggregate.plan}.
      </footer>
    </>
  )
}

type Section = readonly [id: string, title: string, content: ComponentChildren]

/** The sections for which a run has something to show. */
function sectionsOf({ aggregate, run, list, withTrajectory, charts }: PageContent): Section[] {
  const subjects = affectedBy(aggregate)
  const robustness = robustnessTable(aggregate, subjects)
  const whatBroke = (
    <>
      {headlineList(aggregate)}
      {robustness && (
        <figure class="table">
          <h3>Change of success by family of perturbations, in points</h3>
          <div class="scroll">{robustness}</div>
          <figcaption>{note(robustnessNote)}</figcaption>
        </figure>
      )}
    </>
  )
  const episodes = (
    <>
      {describeEpisodes(run, list, withTrajectory).map(note)}
      <div id="episode-list">
        <noscript>
          <p class="warning">The charts and the list of episodes need JavaScript; everything else does not.</p>
        </noscript>
      </div>
    </>
  )
  const sections: Section[] = [
    ['overview', 'What broke', whatBroke],
    ['conditions', 'What was perturbed', conditionsStrip(aggregate, examplesOf(run, list.episodes))],
    ['models', 'Model by model', modelCards(aggregate, subjects)],
    ['charts', 'Charts', charts.length > 0 && [...charts.map(chartFigure), note(filesNote)]],
    ['episodes', 'Episodes', episodes],
  ]
  return sections.filter(([, , content]) => content)
}

const robustnessNote =
  'The most harmed model and the most harmful family first, controls last. Clean: success in percent without perturbation; the rest: perturbed minus clean over pairs of one task, seed and temperature. ' +
  'Bold: significant (Holm over all models and families; controls are not tested). Middle dot: changed nothing on any task. A figure links to its episodes, and has its interval as a tooltip.'

const filesNote =
  'Their files, and every table as Markdown and CSV, are in the folders charts and tables beside this page.'

/** A chart, folded; the script puts the picture before its caption. */
function chartFigure({ title, notes, file }: Chart): VNode {
  const caption = notes.map((sentence) => <p>{sentence}</p>)
  return (
    <figure class="chart" data-file={file}>
      <details>
        <summary>{title}</summary>
        <figcaption>{caption}</figcaption>
      </details>
    </figure>
  )
}

function note(text: string): VNode {
  return <p class="muted">{text}</p>
}

/** The sentences above the list of episodes: what is listed, and what is not. */
export function describeEpisodes(
  run: StoredRun,
  { episodes, stored }: EpisodeList,
  withTrajectory: number,
): readonly string[] {
  const rest = '`shaketable show` shows the others.'
  const isPart = episodes.length < stored
  const isShort = withTrajectory < episodes.length
  return sentences([
    'Open an episode to see it step by step beside its clean twin: the same task, seed and temperature without the perturbation.',
    isPart &&
      `This page lists ${grouped(episodes.length)} of ${count(stored, 'episode')}: those that ended differently from their clean twin, and the twins, as many as there is room for. ` +
        `Its tables and charts are over all of them. ${rest}`,
    run.trajectories === undefined && 'This page does not include the trajectories of the episodes.',
    run.trajectories !== undefined && isShort && `It has the steps of ${grouped(withTrajectory)} episodes. ${rest}`,
  ])
}

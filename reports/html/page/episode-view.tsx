import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownEpisode, ShownMessage, ShownTrajectory } from '../packed.js'
import { count, grouped } from '../../../src/tables/words.js'
import { untrusted, visibleText } from '../visible.js'
import { type LinePair, align, firstDifference, comparePrompts, wordDifference } from './align.js'
import type { Episode, EpisodeChunks } from './episodes.js'
import { Failure, LongText, outcomeBadge, percent } from './parts.js'
import { endOf, markedRuns, observed, stepView } from './step-view.js'

interface EpisodeProps {
  readonly chunks: EpisodeChunks
  readonly episode: Episode
  /** The step to show, see `writeAddress`; empty for the beginning. */
  readonly step: string
  readonly listed: readonly Episode[]
  /** The address of an episode and one of its steps; without an episode that of the list. */
  readonly address: (episode?: Episode, step?: string) => string
  /** Shows another episode in place of this one. */
  readonly replace: (episode: Episode | undefined) => void
}

/** An episode with its trajectory. */
type Side = Episode & ShownEpisode

/** One episode in place of the rest of the page: beside its clean twin, if it has one. */
export function EpisodeView({ chunks, episode, step, listed, address, replace }: EpisodeProps): VNode {
  const [opened, setOpened] = useState<{ readonly sides?: readonly Side[]; readonly thrown?: unknown }>({})
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    let isCurrent = true
    const shown = [...(episode.twin === undefined ? [] : [episode.twin]), episode]
    const open = async (episode: Episode): Promise<Side> => ({ ...episode, ...(await chunks.open(episode.place)) })
    void Promise.all(shown.map(open)).then(
      (sides) => isCurrent && setOpened({ sides }),
      (thrown: unknown) => isCurrent && setOpened({ thrown }),
    )
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
    return () => {
      isCurrent = false
    }
  }, [])
  useEffect(() => {
    if (step !== '') toStep(document.querySelector(`[data-step="${CSS.escape(step)}"]`))
  }, [opened, step])

  const { environment, model, agent, temperature, seed, kind, goal, task } = episode
  const run = `temperature ${String(temperature)} · seed ${String(seed)}`
  const facts = [environment, `${model} with ${agent}`, run, kind]
  return (
    <>
      {controls({ episode, listed, address, replace })}
      <h2 tabIndex={-1} ref={heading}>
        {untrusted(goal === '' ? task : goal)}
        {goal !== '' && <span class="task-id">{[' ', untrusted(task)]}</span>}
      </h2>
      <p class="facts">{untrusted(facts.filter((fact) => fact !== '').join(' · '))}</p>
      {siblings(episode, address)}
      {opened.thrown !== undefined && <Failure thrown={opened.thrown} />}
      {opened.sides && twins(opened.sides, (at) => address(episode, at))}
    </>
  )
}

function controls({ episode, listed, address, replace }: Omit<EpisodeProps, 'chunks' | 'step'>): VNode {
  const at = listed.indexOf(episode)
  const turn = (name: string, to: Episode | undefined): VNode => (
    <button type="button" disabled={to === undefined} onClick={() => replace(to)}>
      {name}
    </button>
  )
  return (
    <nav class="controls" aria-label="Episodes">
      <a href={address()}>← All episodes</a>
      <span class="muted number">{at !== -1 && `${grouped(at + 1)} of ${grouped(listed.length)}`}</span>
      {turn('Previous', listed[at - 1])}
      {turn('Next', at === -1 ? undefined : listed[at + 1])}
    </nav>
  )
}

function siblings(episode: Episode, address: EpisodeProps['address']): VNode {
  const link = (neighbour: Episode): VNode => {
    const current = neighbour === episode ? 'page' : undefined
    const attributes = {
      href: address(neighbour),
      title: visibleText(neighbour.rule),
      'aria-current': current,
    } as const
    return <a {...attributes}>{[untrusted(neighbour.condition), ' ', outcomeBadge(neighbour.outcome)]}</a>
  }
  return <nav class="siblings">{episode.siblings.map(link)}</nav>
}

/** An episode, after its clean twin if it has one: their prompts compared, their steps aligned. */
function twins(sides: readonly Side[], address: (step: string) => string): VNode {
  const trajectories = sides.flatMap(({ said }) => said ?? [])
  const [one, other] = trajectories.map(({ prompt }) => prompt)
  return (
    <>
      <div class={kindOf(sides)}>{sides.map(head)}</div>
      {one && (other ? comparedPrompts(one, other) : prompt(one))}
      {trajectories.length === sides.length && steps(trajectories, address)}
    </>
  )
}

function kindOf({ length }: readonly unknown[]): string {
  return `sides ${length > 1 ? 'pair' : 'single'}`
}

const noDifference = 'No difference: the environment received the same commands and gave the same observations in both.'

/** The steps of an episode, beside those of its clean twin if it has one, with the first difference marked. */
function steps(trajectories: readonly ShownTrajectory[], address: (step: string) => string): VNode {
  const [one, other] = trajectories.map(({ steps }) => steps)
  const rows = other === undefined ? one!.map((_, left) => ({ left, same: true })) : align(one!, other)
  const first = firstDifference(rows)
  const kind = kindOf(trajectories)
  const label = (side: number): VNode | false =>
    other !== undefined && <span class="which">{side === 0 ? 'clean' : 'perturbed'}</span>
  const goTo = (
    <button type="button" onClick={() => toStep(document.getElementById('first-difference'))}>
      Go to the first difference
    </button>
  )
  const row = ({ left, right }: { readonly left?: number; readonly right?: number }, at: number): VNode => {
    const shown = other === undefined ? left : right
    const step = shown === undefined ? `clean-${String(left! + 1)}` : String(shown + 1)
    const isFirst = at === first
    const attributes = isFirst ? { class: `${kind} differs`, id: 'first-difference' } : { class: kind }
    return (
      <li {...attributes} data-step={step} tabIndex={-1}>
        {isFirst && <p class="difference-mark">First difference</p>}
        {trajectories.map((trajectory, side) => {
          const place = side === 0 ? left : right
          if (place === undefined) return <div class="step absent" />
          return <div>{[label(side), stepView(trajectory, place, address(step))]}</div>
        })}
      </li>
    )
  }
  return (
    <>
      {other !== undefined && <p class="difference">{first === -1 ? noDifference : goTo}</p>}
      <ol class="steps">
        <li class={kind} data-step="0" tabIndex={-1}>
          {trajectories.map(({ opening }, side) => (
            <div>{[label(side), observed(opening)]}</div>
          ))}
        </li>
        {rows.map(row)}
      </ol>
      <div class={kind}>{trajectories.map(endOf)}</div>
    </>
  )
}

/** Scrolls to a step and focuses it. */
function toStep(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

/** Condition with its rule, outcome and figures. */
function head(side: Side): VNode {
  const { calls, changed, error, said, rule, steps, progress, understood, formatErrors, memorised = 0 } = side
  const tokens = calls.promptTokens + calls.completionTokens
  const figures = [
    `progress ${percent(progress)}`,
    count(steps, 'step'),
    understood !== undefined && `${grouped(understood)} understood`,
    said?.trials && count(said.trials.length, 'trial'),
    formatErrors > 0 && count(formatErrors, 'format error'),
    memorised > 0 && `${grouped(memorised)} in memorised wording`,
    tokens > 0 && `${grouped(calls.promptTokens)} tokens in, ${grouped(calls.completionTokens)} out`,
  ]
  const reworded =
    changed &&
    `reworded: ${count(changed.forms, 'action form')}, ${count(changed.commandsSaid, 'command')} given, ${grouped(changed.commandsSeen)} seen, ${count(changed.names, 'name')}`
  return (
    <section class="side">
      <h3>{[untrusted(side.condition), ' ', outcomeBadge(side.outcome)]}</h3>
      {rule !== '' && <p>{untrusted(rule)}</p>}
      <p class="facts">{figures.filter((figure) => typeof figure === 'string').join(' · ')}</p>
      {reworded && <p class="facts">{reworded}</p>}
      {error !== undefined && <LongText text={error} kind="error" />}
      {said === undefined && <p class="muted">This page does not have the steps of this episode.</p>}
      <p class="facts key">{side.key}</p>
    </section>
  )
}

/** The first prompt of an episode, folded. */
function prompt(messages: readonly ShownMessage[]): VNode {
  return (
    <details>
      <summary>{`Prompt, ${count(messages.length, 'message')}`}</summary>
      {messages.map(({ role, content }) => [<span class="label">{role}</span>, <LongText text={content} />])}
    </details>
  )
}

/** The lines in which the prompts of two episodes differ, and the whole of the perturbed one, folded. */
function comparedPrompts(clean: readonly ShownMessage[], perturbed: readonly ShownMessage[]): VNode {
  const lines = comparePrompts(clean, perturbed)
  const changed = lines.filter(({ left, right }) => left !== right)
  const title =
    changed.length === 0
      ? 'Prompt: the same in both'
      : `Prompt: ${grouped(changed.length)} of ${grouped(lines.length)} lines differ from the clean twin`
  return (
    <details class="prompt-comparison">
      <summary>{title}</summary>
      {changed.map(changedLine)}
      {prompt(perturbed)}
    </details>
  )
}

function changedLine({ left, right }: LinePair): VNode {
  const runs = left !== undefined && right !== undefined ? wordDifference(left, right) : undefined
  const side = (name: string, text: string | undefined, place: 0 | 1): VNode => {
    if (text === undefined) return <div class="absent" />
    const line =
      runs === undefined ? <LongText text={text} kind="own" /> : <p class="text">{markedRuns(runs[place])}</p>
    return <div>{[<span class="which">{name}</span>, line]}</div>
  }
  return <div class="sides pair changed">{[side('clean', left, 0), side('perturbed', right, 1)]}</div>
}

import type { VNode } from 'preact'
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownEpisode, ShownMessage, ShownTrajectory } from '../packed.js'
import { count, grouped } from '../../../src/tables/words.js'
import { untrusted, visibleText } from '../visible.js'
import { align, firstDifference, comparePrompts, wordDifference } from './align.js'
import type { Episode, EpisodeChunks } from './episodes.js'
import { Failure, LongText, outcomeBadge, percent } from './parts.js'
import { EndView, Observation, StepView, markedRuns } from './step-view.js'
import type { LinePair } from './align.js'

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
  const facts = [
    environment,
    `${model} with ${agent}`,
    `temperature ${String(temperature)}`,
    `seed ${String(seed)}`,
    kind,
  ]
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
    const attributes = {
      href: address(neighbour),
      title: visibleText(neighbour.rule),
      ...(neighbour === episode && { 'aria-current': 'page' as const }),
    }
    return <a {...attributes}>{[untrusted(neighbour.condition), ' ', outcomeBadge(neighbour.outcome)]}</a>
  }
  return <nav class="siblings">{episode.siblings.map(link)}</nav>
}

/** An episode, after its clean twin if it has one: their prompts compared, their steps aligned. */
function twins(sides: readonly Side[], address: (step: string) => string): VNode {
  const trajectories = sides.flatMap(({ said }) => said ?? [])
  const isCompared = trajectories.length === 2
  return (
    <>
      <div class={`sides ${kindOf(sides)}`}>{sides.map(head)}</div>
      {isCompared && <PromptComparison clean={trajectories[0]!.prompt} perturbed={trajectories[1]!.prompt} />}
      {trajectories.length === 1 && <Prompt messages={trajectories[0]!.prompt} />}
      {trajectories.length === sides.length && <Steps {...{ trajectories, address }} />}
    </>
  )
}

function kindOf({ length }: readonly unknown[]): 'pair' | 'single' {
  return length > 1 ? 'pair' : 'single'
}

interface StepsProps {
  /** Of the clean twin, if there is one, and of the episode. */
  readonly trajectories: readonly ShownTrajectory[]
  readonly address: (step: string) => string
}

const noDifference = 'No difference: the environment received the same commands and gave the same observations in both.'

/** The steps of an episode, beside those of its clean twin if it has one, with the first difference marked. */
function Steps({ trajectories, address }: StepsProps): VNode {
  const [one, other] = trajectories.map(({ steps }) => steps)
  const rows = other === undefined ? one!.map((_, left) => ({ left, same: true })) : align(one!, other)
  const first = firstDifference(rows)
  const kind = `sides ${kindOf(trajectories)}`
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
    return (
      <li
        class={isFirst ? `${kind} differs` : kind}
        id={isFirst ? 'first-difference' : undefined}
        data-step={step}
        tabIndex={-1}
      >
        {isFirst && <p class="difference-mark">First difference</p>}
        {trajectories.map((trajectory, side) => {
          const place = side === 0 ? left : right
          if (place === undefined) return <div class="step absent" />
          return <div>{[label(side), <StepView {...{ trajectory, at: place, address: address(step) }} />]}</div>
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
            <div>{[label(side), <Observation {...opening} />]}</div>
          ))}
        </li>
        {rows.map(row)}
      </ol>
      <div class={kind}>{trajectories.map((trajectory) => h(EndView, { trajectory }))}</div>
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
function Prompt({ messages }: { readonly messages: readonly ShownMessage[] }): VNode {
  return (
    <details>
      <summary>{`Prompt, ${count(messages.length, 'message')}`}</summary>
      {messages.map(({ role, content }) => [<span class="label">{role}</span>, <LongText text={content} />])}
    </details>
  )
}

/** The lines in which the prompts of two episodes differ, and the whole of the perturbed one, folded. */
function PromptComparison({
  clean,
  perturbed,
}: Readonly<Record<'clean' | 'perturbed', readonly ShownMessage[]>>): VNode {
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
      <Prompt messages={perturbed} />
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

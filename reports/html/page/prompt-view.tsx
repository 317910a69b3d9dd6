import type { VNode } from 'preact'
import type { ShownMessage } from '../packed.js'
import type { LinePair } from './align.js'
import { comparePrompts, wordDifference } from './align.js'
import { counted, LongText, number } from './parts.js'
import { markedRuns } from './step-view.js'

/** The first prompt of an episode, folded. */
export function Prompt({ messages }: { readonly messages: readonly ShownMessage[] }): VNode {
  return (
    <details>
      <summary>{`Prompt, ${counted(messages.length, 'message')}`}</summary>
      {messages.map(({ role, content }) => [<span class="label">{role}</span>, <LongText text={content} />])}
    </details>
  )
}

interface ComparisonProps {
  readonly clean: readonly ShownMessage[]
  readonly perturbed: readonly ShownMessage[]
}

/** The lines in which the prompts of two episodes differ, and the whole of the perturbed one, folded. */
export function PromptComparison({ clean, perturbed }: ComparisonProps): VNode {
  const lines = comparePrompts(clean, perturbed)
  const changed = lines.filter(({ left, right }) => left !== right)
  const title =
    changed.length === 0
      ? 'Prompt: the same in both'
      : `Prompt: ${number(changed.length)} of ${number(lines.length)} lines differ from the clean twin`
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

import type { Layout, LayoutLabels, PromptPart } from '../src/define.js'
import { definePerturbation, promptParts, withDose } from '../src/define.js'

const defaultLabels = {
  thought: 'Thought',
  action: 'Action',
  observation: 'Observation',
  goal: 'Goal',
  examples: 'Examples',
} as const

const upper = Object.entries(defaultLabels).map(([part, label]) => [part, label.toUpperCase()])
const capitals = Object.fromEntries(upper) as Readonly<Record<keyof typeof defaultLabels, string>>

const labels: Readonly<Record<string, LayoutLabels | undefined>> = {
  renamed: {
    thought: 'Reasoning',
    action: 'Command',
    observation: 'Response',
    goal: 'Task',
    examples: 'Sample episodes',
    markup: 'colon',
  },
  capitals: { ...capitals, markup: 'colon' },
  bold: { ...defaultLabels, markup: 'bold' },
  brackets: { ...defaultLabels, markup: 'brackets' },
  tags: { ...defaultLabels, markup: 'tags' },
  'as-is': undefined,
}

const orders: Readonly<Record<string, readonly PromptPart[] | undefined>> = {
  'as-is': undefined,
  'goal-first': ['goal', 'instruction', 'examples', 'help', 'history'],
  'goal-last': ['instruction', 'examples', 'help', 'history', 'goal'],
  'actions-last': ['examples', 'goal', 'help', 'history', 'instruction'],
  'history-first': ['history', 'instruction', 'examples', 'goal', 'help'],
}

/**
 * Other labels and another order of the parts of the prompt; the words of the environment stay. The agents `act`,
 * `react` and `tools` take layouts, and read the labels that they show as they read their own.
 */
export default definePerturbation({
  name: 'layout',
  summary:
    'other labels (Action: → Command:, [Action], …) and another order of goal, actions and history in the prompt',
  source: 'this testbed, after the prompt templates of arXiv 2410.19920',
  promise: 'invariant',
  touches: 'observation',
  laysOut: true,
  options: { labels: Object.keys(labels), order: Object.keys(orders) },
  open({ options }) {
    const [named, order] = [labels[options['labels']!], orders[options['order']!]]
    const layout: Layout = { ...(named && { labels: named }), ...(order && { order }) }
    return {
      wrap: (world) =>
        withDose(
          { ...world, briefing: { ...world.briefing, layout: { ...world.briefing.layout, ...layout } } },
          () => ({
            layout: countChanges(layout),
          }),
        ),
    }
  },
})

/** The labels that are others, and the parts that stand at another place. */
function countChanges({ labels, order = promptParts }: Layout): number {
  const moved = order.filter((part, index) => part !== promptParts[index]).length
  return moved + (labels === undefined ? 0 : Object.keys(defaultLabels).length)
}

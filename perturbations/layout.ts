import type { Layout, LayoutLabels, PromptPart } from '../src/define.js'
import { definePerturbation } from '../src/define.js'

const usual = {
  thought: 'Thought',
  action: 'Action',
  observation: 'Observation',
  goal: 'Goal',
  examples: 'Examples',
} as const

const labels: Readonly<Record<string, LayoutLabels | undefined>> = {
  renamed: {
    thought: 'Reasoning',
    action: 'Command',
    observation: 'Response',
    goal: 'Task',
    examples: 'Sample episodes',
    markup: 'colon',
  },
  capitals: {
    thought: 'THOUGHT',
    action: 'ACTION',
    observation: 'OBSERVATION',
    goal: 'GOAL',
    examples: 'EXAMPLES',
    markup: 'colon',
  },
  bold: { ...usual, markup: 'bold' },
  brackets: { ...usual, markup: 'brackets' },
  tags: { ...usual, markup: 'tags' },
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
    return { layout }
  },
})

/** The parts of a prompt. A conversation in several messages has the first observation alone for its history. */
export const promptParts = ['instruction', 'examples', 'goal', 'help', 'history'] as const
/** A part of a prompt; the instruction lists the actions. */
export type PromptPart = (typeof promptParts)[number]

/** How a prompt is laid out. What is absent stays as the agent has it. */
export interface Layout {
  readonly labels?: LayoutLabels
  /** Every part once. */
  readonly order?: readonly PromptPart[]
}

/** The labels of a prompt: the word of each, and how the words are marked up. */
export interface LayoutLabels {
  readonly thought: string
  readonly action: string
  readonly observation: string
  readonly goal: string
  readonly examples: string
  /** `Action: x`, `**Action:** x`, `[Action] x` or `<Action>x</Action>`. */
  readonly markup: 'colon' | 'bold' | 'brackets' | 'tags'
}

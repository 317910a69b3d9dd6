import type { Prompt } from '../_prompt.js'
import { wordsIn } from '../_words.js'

/** Commands that ask for the possible actions, and for everything that holds. */
export interface Help {
  readonly list?: string
  readonly look?: string
}

/** The helping commands that a prompt speaks of. */
export function helpIn({ help, forms }: Prompt): Help {
  const commands = [...help, ...forms.map(({ template }) => template).filter((template) => !template.includes('{'))]
  const list = commands.find((command) => has(command, ['valid', 'possible', 'actions', 'commands', 'available']))
  const look = commands.find((command) => command !== list && has(command, ['look', 'around', 'observe', 'see']))
  return { ...(list !== undefined && { list }), ...(look !== undefined && { look }) }
}

function has(command: string, words: readonly string[]): boolean {
  return wordsIn(command).some((word) => words.includes(word))
}

/** A message of a chat. */
export interface Message {
  readonly role: string
  readonly content: string
}

/** A tokenizer of words, punctuation, spaces and special tokens, with a chat template in the way of Llama 3. */
export interface Tokenizer {
  encode(text: string): number[]
  decode(ids: readonly number[]): string
  /** The tokens of a chat; with `generation`, up to the place where the assistant begins to speak. */
  chat(messages: readonly Message[], generation?: boolean): number[]
  /** The token that ends each message. */
  readonly end: number
}

const begin = '<|begin|>'
const end = '<|end|>'

/** What comes before the text of a message. */
export const header = (role: string): string => `<|role|>${role}<|text|>`

/** The text of a chat, by the template of the tokenizer. */
export function render(messages: readonly Message[], generation = false): string {
  const turns = messages.map(({ role, content }) => header(role) + content + end)
  return begin + turns.join('') + (generation ? header('assistant') : '')
}

export function createTokenizer(): Tokenizer {
  const words: string[] = []
  const ids = new Map<string, number>()
  const idOf = (word: string): number => {
    const known = ids.get(word)
    if (known !== undefined) return known
    ids.set(word, words.length)
    return words.push(word) - 1
  }
  const encode = (text: string): number[] => (text.match(/<\|\w+\|>|\w+|\s|[^\w\s]/gu) ?? []).map(idOf)
  return {
    encode,
    decode: (tokens) => tokens.map((id) => words[id]!).join(''),
    chat: (messages, generation) => encode(render(messages, generation)),
    end: idOf(end),
  }
}

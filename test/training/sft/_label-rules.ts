import type { Message, Tokenizer } from './_tokenizer.js'
import { header } from './_tokenizer.js'

/*
 * The label masks of the trainers, by what their documentation and code say. The copies that were read:
 * - LLaMA-Factory: src/llamafactory/data/processor/supervised.py of hiyouga/LlamaFactory, commit 08e8fbf (after release
 *   0.9.5); converter.py, commit 02e2fb3; data/README.md, commit 015ff25; maintainers' answers in issues 4777 and 9314.
 * - axolotl: docs/dataset-formats/conversation.qmd of axolotl-ai-cloud/axolotl, commit 5035f0f;
 *   src/axolotl/prompt_strategies/chat_template.py, commit 01f6a5c.
 * - TRL: the page "SFT Trainer" of version 1.9.2; trl/trainer/sft_trainer.py, commit 00313f2.
 */

type Json = Readonly<Record<string, unknown>>

/** The tokens of a row, and which of them are learned from. */
export interface Labelled {
  readonly ids: readonly number[]
  readonly learned: readonly boolean[]
}

const none = (length: number): boolean[] => new Array<boolean>(length).fill(false)
const all = (length: number): boolean[] => new Array<boolean>(length).fill(true)
const textOf = (value: unknown): string => value as string

/**
 * LLaMA-Factory: a row is pairs of what is given and what is said. The last is said first where the history is masked,
 * so that the cut loses the oldest; nothing but what is said is learned from, and of masked histories only the last.
 * @returns undefined for a row that it drops
 */
export function labelLlamaFactory(tokenizer: Tokenizer, row: Json, entry: Json, config: Json): Labelled | undefined {
  const tags = entry['tags'] as Readonly<Record<string, string>>
  const columns = entry['columns'] as Readonly<Record<string, string>>
  const given = row[columns['messages']!] as readonly Json[]
  const roleOf = (turn: Json): string => textOf(turn[tags['role_tag']!])
  const contentOf = (turn: Json): string => textOf(turn[tags['content_tag']!])
  const hasSystem = roleOf(given[0]!) === tags['system_tag']
  const turns = given.slice(hasSystem ? 1 : 0)
  const order = [tags['user_tag'], tags['assistant_tag']]
  if (turns.length % 2 !== 0 || turns.some((turn, index) => roleOf(turn) !== order[index % 2])) return undefined

  const system = hasSystem ? `${header('system')}${contentOf(given[0]!)}<|end|>` : ''
  const pairs = Array.from({ length: turns.length / 2 }, (_, index) => ({
    source: tokenizer.encode(
      `${index === 0 ? `<|begin|>${system}` : ''}${header('user')}${contentOf(turns[2 * index]!)}<|end|>${header('assistant')}`,
    ),
    target: tokenizer.encode(`${contentOf(turns[2 * index + 1]!)}<|end|>`),
  }))
  const isMasked = config['mask_history'] === true
  const limit = config['cutoff_len'] as number
  let made: Labelled = { ids: [], learned: [] }
  for (const [index, pair] of (isMasked ? pairs.reverse() : pairs).entries()) {
    const room = limit - made.ids.length
    if (room <= 0) break
    const source = pair.source.slice(0, Math.max(0, room - targetLength(pair.source.length, pair.target.length, room)))
    const target = pair.target.slice(0, targetLength(pair.source.length, pair.target.length, room))
    const ids = [...source, ...target]
    const learned = [...none(source.length), ...(isMasked && index > 0 ? none : all)(target.length)]
    made = isMasked
      ? { ids: [...ids, ...made.ids], learned: [...learned, ...made.learned] }
      : { ids: [...made.ids, ...ids], learned: [...made.learned, ...learned] }
  }
  return made
}

/** How much of what is said stays where a pair has to fit into a room. */
function targetLength(source: number, target: number, room: number): number {
  if (target * 2 < room) return Math.min(target, room)
  if (source * 2 < room) return Math.min(target, room - source)
  return Math.min(target, Math.floor(room * (target / (source + target))))
}

/**
 * axolotl, `type: chat_template`: a turn is learned from by its field of training, or else by its role. It is found by
 * rendering the chat up to it, once with another text in its place; the end token within three tokens belongs to it.
 * @returns undefined for a row that it drops
 */
export function labelAxolotl(tokenizer: Tokenizer, row: Json, config: Json): Labelled | undefined {
  const [dataset] = config['datasets'] as readonly [Json]
  const names = dataset['message_property_mappings'] as Readonly<Record<string, string>>
  const roles: Readonly<Record<string, string>> = { human: 'user', gpt: 'assistant', system: 'system' }
  const turns = row[textOf(dataset['field_messages'])] as readonly Json[]
  const messages = turns.map((turn): Message => ({
    role: roles[textOf(turn[names['role']!])]!,
    content: textOf(turn[names['content']!]),
  }))
  const ids = tokenizer.chat(messages)
  if (ids.length > (config['sequence_len'] as number)) return undefined
  const learned = none(ids.length)
  for (const [index, turn] of turns.entries()) {
    const { role } = messages[index]!
    const flag = turn[textOf(dataset['message_field_training'])] ?? undefined
    if (!(flag ?? (dataset['roles_to_train'] as readonly string[]).includes(role))) continue
    const before = messages.slice(0, index)
    const full = tokenizer.chat(messages.slice(0, index + 1))
    const other = tokenizer.chat([...before, { role, content: '[[dummy_message]]' }])
    const start = full.findIndex((id, at) => id !== other[at])
    let tail = 0
    while (full.at(-1 - tail) === other.at(-1 - tail)) tail++
    const stop = full.length - tail
    if (start === -1 || stop <= start) continue
    learned.fill(true, start, stop)
    const end = ids.indexOf(tokenizer.end, stop)
    if (dataset['train_on_eos'] === 'turn' && end !== -1 && end - stop <= 3) learned[end] = true
  }
  return { ids, learned }
}

/**
 * TRL, conversational prompt and completion: the tokens after those of the prompt with the assistant's header are
 * learned from; what exceeds the length is cut from the end.
 */
export function labelTrl(tokenizer: Tokenizer, row: Json, config: Json): Labelled {
  const [prompt, completion] = [row['prompt'], row['completion']] as [readonly Message[], readonly Message[]]
  const start = tokenizer.chat(prompt, true)
  const ids = tokenizer.chat([...prompt, ...completion])
  if (start.some((id, index) => id !== ids[index])) throw new Error('The prompt is not the beginning of the row.')
  const isOnly = config['completion_only_loss'] === true
  const learned = ids.map((_, index) => !isOnly || index >= start.length)
  const limit = config['max_length'] as number
  return { ids: ids.slice(0, limit), learned: learned.slice(0, limit) }
}

/** TRL with `assistant_only_loss`: every turn of the assistant is learned from. */
export function labelTrlAssistants(tokenizer: Tokenizer, messages: readonly Message[]): Labelled {
  const parts = messages.map((_, index) => {
    const { length } = index === 0 ? [] : tokenizer.chat(messages.slice(0, index))
    const own = tokenizer.chat(messages.slice(0, index + 1)).slice(length)
    const isSaid = messages[index]!.role === 'assistant'
    const head = isSaid ? tokenizer.encode(header('assistant')).length : own.length
    return { ids: own, learned: own.map((_, at) => at >= head) }
  })
  return { ids: parts.flatMap(({ ids }) => ids), learned: parts.flatMap(({ learned }) => learned) }
}

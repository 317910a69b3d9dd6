/** Characters that show nothing: soft hyphens, zero-width characters, marks of direction and of byte order. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]/g
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
const lineEnds = /[\v\f\u0085\u2028\u2029]/g
const doubleQuotes = /[«»\u201c-\u201f\u2033\u2036\u300c-\u300f\uff02]/g
const singleQuotes = /[\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/g
/** A colon of another script behind the first words of a line. */
const wideColon = /^([^\n:]{1,40}?)[\u02d0\u2236\ufe13\ufe30\ufe55\uff1a]/gm
const fence = /^[ \t>]{0,20}(?:`{3,}|~{3,})[ \t]{0,20}[\w+-]{0,20}[ \t]{0,20}$/gm
/** A fence that opens behind a label. */
const labelledFence = /^([^\n`]{1,60}:[ \t*]{0,10})(?:`{3,}|~{3,})[\w+-]{0,20}[ \t]{0,20}$/gm
const anyAction = /^[\s>*#-]{0,20}action(?: ?\d{1,4})?[*\s]{0,4}:|<action>/im
/** A thought with the label of an action within its line. */
const actionWithin =
  /^([\s>*#-]{0,20}(?:[Tt]hought|THOUGHT|[Tt]hink|THINK)[sS]?\b[^\n]*?[\s.!?;,)"'*])(?=\*{0,4}(?:Action|ACTION)(?: ?\d{1,4})?[*\s]{0,4}:)/gm

/**
 * A reply in plain characters, as parsers read it: typographic quotes, blanks and colons as those of a keyboard,
 * without invisible characters and the fences of code blocks; an action on the line of its thought on a line of its own.
 */
export function plainText(reply: string): string {
  const plain = plainBlanks(withoutInvisible(reply).replace(lineEnds, '\n'))
    .replace(doubleQuotes, '"')
    .replace(singleQuotes, "'")
    .replace(labelledFence, '$1')
    .replace(fence, '')
  return anyAction.test(plain) ? plain : plain.replace(actionWithin, '$1\n')
}

/** A text without the characters that show nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** A text of the same length with the blanks and colons of a keyboard. */
export function plainBlanks(text: string): string {
  return text.replace(blanks, ' ').replace(wideColon, '$1:')
}

const roles = 'im_start|im_end|start_header_id|end_header_id|eot_id|eom_id|begin_of_text|end_of_text|endoftext|end'
const more = 'return|user|human|assistant|system|observation|tool|tool_response|eos|bos|eot|end_of_turn|start_of_turn'
/** Marks of turns and texts in chat templates: ChatML, Llama, GLM, Phi, harmony, DeepSeek, Gemma, Mistral, Command. */
const templateMark = new RegExp(
  [
    String.raw`<[|｜](?:${roles}|${more}|(?:START|END)_OF_TURN_TOKEN)[|｜]>`,
    String.raw`<｜(?:User|Assistant|(?:begin|end)▁of▁sentence)｜>`,
    String.raw`</?(?:start_of_turn|end_of_turn|tool_response|s)>`,
    String.raw`<\|turn>|<turn\|>`,
    String.raw`\[/?INST\]`,
    String.raw`^[ \t]*</?(?:user|human|assistant|system|observation)>`,
  ].join('|'),
  'gim',
)

const decoration = String.raw`[\s>*#_([-]{0,20}`
const answerTo = '(?:(?:tool|action|environment|env|system|game|function|new|next|user|human)[ _])?'
/** The words in front of turns of others; those of the second kind also begin lines of a thought. */
const others = String.raw`humans?|users?|${answerTo}(?:observations?|obs)`
const otherwise = String.raw`assistant|ai|bot|system|environment|env|game|tool|function|instructions?|question|${answerTo}(?:results?|response|output|feedback|reply|message|input)`
const turnOf = (words: string): RegExp =>
  new RegExp(String.raw`^${decoration}(?:${words})(?: ?\d{1,4})?[*_\s)\]]{0,6}(?:[:：]|$)`, 'i')
const [othersTurn, possibleTurn] = [turnOf(others), turnOf(otherwise)]
/** The action of a reply, by the labels that an agent or a layout may give it. */
const actionLine = /^[\s>*#_[-]{0,20}(?:action|command)\b.{0,10}[:：\]]|^\s{0,20}>|<action>/i
/** The model's own turn, which it opens once more. */
const ownTurn = /^(?:\s*(?:assistant|model)\s*(?:[:：]|\n)\s*)?/i

/**
 * A reply up to the first turn that the model invented for another speaker. Turns are told by the marks of chat
 * templates and by role words at the beginning of a line.
 */
export function cutInventedTurns(reply: string): string {
  let start = 0
  let end = reply.length
  templateMark.lastIndex = 0
  for (let mark = templateMark.exec(reply); mark !== null; mark = templateMark.exec(reply)) {
    if (reply.slice(start, mark.index).trim() === '') {
      start = mark.index + mark[0].length
      start += ownTurn.exec(reply.slice(start, start + 100))![0].length
      templateMark.lastIndex = Math.max(start, templateMark.lastIndex)
      continue
    }
    end = mark.index
    break
  }
  start += ownTurn.exec(reply.slice(start, Math.min(end, start + 100)))![0].length
  const own = reply.slice(start, end)
  let at = 0
  let hasActed = false
  for (const line of own.split('\n')) {
    const isTurn = line !== '' && (othersTurn.test(line) || (hasActed && possibleTurn.test(line)))
    if (isTurn && own.slice(0, at).trim() !== '') return own.slice(0, at)
    hasActed ||= line !== '' && actionLine.test(line)
    at += line.length + 1
  }
  return own
}

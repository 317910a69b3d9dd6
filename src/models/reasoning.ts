import type { Completion } from '../core/model.js'

/** A pair of marks around reasoning. */
interface Marks {
  readonly open: RegExp
  readonly close: RegExp
  /** Only both marks together are reasoning: each alone may stand in any text. */
  readonly paired?: true
  /** They count at the beginning of a reply alone. */
  readonly first?: true
}

const word = String.raw`(?:inner[-_ ]?|chain[-_]of[-_])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|monologue|cot|working[_ ]out|ponder(?:ing)?|rationale|deliberation|introspection|思考)`
const bar = '[|｜]?'
/** `seed:` of `<seed:think>`, `_process` of `<thought_process>`, `:opensource` of `<think:opensource>`. */
const more = String.raw`(?!(?:begin|start|end|stop)[_ ]|[:_-](?:begin|start|end|stop)${bar}>)`
const planning =
  '(?:plan(?:ning)?|strategy|brainstorm(?:ing)?|draft|internal|self[-_ ]?(?:reflection|critique)|critique|consideration)'
const closed = String.raw`(?:/|(?:end|done|stop)(?: of)?[ _])`
/** The heading of the answer behind reasoning that had one too. */
const answerLabel = String.raw`(?:\b(?:the |my )?final (?:answer|action|response|output|decision)|^(?:answer|response))\b(?: is)?:|^(?:#{1,4} ?|\*{1,3})(?:the |my )?(?:final )?(?:answer|response|output)(?: is)?(?:\*{1,3}:?|:\*{0,3}|$)`

/**
 * The marks of reasoning in replies, as models and their chat templates write them: one table for the client, the probe
 * and the parsers of agents. An opening mark counts at the beginning of a reply, or of a line where it is closed.
 */
const table: readonly Marks[] = [
  // <|begin_of_thought|>, <|START_THINKING|>, <start_working_out>, <|think_start|>
  {
    open: new RegExp(`<${bar}(?:(?:begin|start)[_ ](?:of_)?${word}|${word}_(?:begin|start))${bar}>`, 'giu'),
    close: new RegExp(`<${bar}(?:(?:end|stop)[_ ](?:of_)?${word}|${word}_(?:end|stop))${bar}>`, 'giu'),
  },
  // <think>, <thinking>, <reasoning>, <seed:think>, <thought_process>, <|think|>
  {
    open: new RegExp(
      String.raw`<${bar}${more}(?:ant|[a-z]{1,20}[:_-])?${word}${more}(?:[:_-][\w.-]{1,40})?(?:\s[^<>]{0,100})?${bar}>`,
      'giu',
    ),
    close: new RegExp(
      String.raw`<${bar}(?:/(?:ant|[a-z]{1,20}[:_-])?${word}(?:[:_-][\w.-]{1,40})?\s?|end_(?:of_)?${word})${bar}>`,
      'giu',
    ),
  },
  // Mistral
  { open: /\[{1,2}THINK(?:ING)?\]{1,2}/giu, close: /\[{1,2}\/THINK(?:ING)?\]{1,2}/giu },
  { open: /\[(?:THOUGHTS?|REASONING)\]/gu, close: /\[\/(?:THOUGHTS?|REASONING)\]/gu, paired: true },
  // Kimi
  { open: /◁think(?:ing)?▷/gu, close: /◁\/think(?:ing)?▷/gu },
  // Harmony, the format of gpt-oss: whatever is in front of the final channel, or of a call.
  {
    open: /(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary(?! to=))(?:<\|message\|>)?/gu,
    close:
      /(?:<\|end\|>)?(?:<\|start\|>assistant)?(?:<\|channel\|>final(?: ?<\|constrain\|>\w{1,20})?<\|message\|>|(?=<\|channel\|>commentary to=| to=functions\.))/gu,
  },
  // The same where a server has left the marks out.
  { open: /analysis(?=[A-Z"'(])/gu, close: /assistant(?:commentary)?final/gu, paired: true },
  // Gemma
  { open: /<\|channel>thought\n?/gu, close: /<channel\|>/gu },
  { open: /<unused94>(?:thought\n)?/gu, close: /<unused95>/gu },
  // Apertus
  { open: /<\|inner_prefix\|>/gu, close: /<\|inner_suffix\|>/gu },
  // Granite
  { open: /Here(?:['’]s| is) my thought process:/giu, close: /Here(?:['’]s| is) my response:/giu },
  { open: /<details type="reasoning"[^<>]{0,200}>/giu, close: /<\/details>/giu },
  // <plan>
  { open: new RegExp(`<${planning}>`, 'giu'), close: new RegExp(`</${planning}>`, 'giu'), paired: true },
  // {think}, (thinking), 【思考】
  {
    open: new RegExp(`[({【⟨]{1,2}${word}[)}】⟩]{1,2}`, 'giu'),
    close: new RegExp(`[({【⟨]{1,2}${closed}${word}[)}】⟩]{1,2}`, 'giu'),
    paired: true,
  },
  // *thinking*
  {
    open: new RegExp(String.raw`\*{1,3}(?:${word}|thinks)(?:[ _]process)?:?\*{1,3}:?`, 'giu'),
    close: new RegExp(String.raw`\*{1,3}${closed}(?:${word}|thinks)\*{1,3}|${answerLabel}`, 'gimu'),
    paired: true,
    first: true,
  },
  // Reasoning: … Final answer: …
  {
    open: /(?:#{1,4} ?)?(?:step[- ]by[- ]step )?(?:reasoning|analysis|rationale|deliberation|(?:thought|reasoning) process|chain of thought)(?::|(?=\n))/giu,
    close: new RegExp(answerLabel, 'gimu'),
    paired: true,
    first: true,
  },
  { open: new RegExp('```(?:' + word + ')[ \\t]*\\n', 'giu'), close: /\n```/gu, paired: true },
]

/** Marks around the answer after reasoning, at its beginning and its end. */
const answerStart =
  /^\s*<[|｜]?\/?(?:begin_of_|start_)?(?:answer|response|solution|final(?:_answer)?|output)[|｜]?>\s*/iu
const answerEnd =
  /<(?:[|｜]?(?:\/|end_of_|end_)(?:answer|response|solution|final(?:_answer)?|output)|\|(?:return|end))[|｜]?>$/iu

/**
 * The label of a thought whose place the reasoning has taken; a stop string would otherwise end the reply behind it.
 */
const emptyThought = /^\s*(?:thought|think)s?:[ \t]{0,20}\n\s*/iu

/** Maximum number of pieces of reasoning; a real reply has a few. */
const maxPieces = 16

/** Whether a mark is part of the layout that the prompt asks for, and so of the answer. */
type IsAsked = (mark: string) => boolean
const notAsked: IsAsked = () => false

/**
 * Separates the reasoning from a reply. Where the chat template has written the opening mark, the reply has only the
 * closing one. Reasoning that is never closed leaves no text. Takes time linear in the reply's length.
 * @param isOpened the template has written the opening mark: a reply without the closing one is reasoning alone
 */
export function separateReasoning(
  content: string,
  isOpened = false,
  isAsked = notAsked,
): Pick<Completion, 'text' | 'reasoning' | 'unclosed'> {
  const { parts, spoken, unclosed } = partsOf(content, isAsked)
  const later = parts.filter(({ start }) => start >= spoken)
  if (isOpened && later.length === parts.length) return { text: '', reasoning: content, unclosed: true }
  if (parts.length === 0) return { text: content }
  const reasoning = parts.map(({ from, to }) => content.slice(from, to)).join('\n')
  if (unclosed) return { text: '', reasoning, unclosed }
  const kept = [spoken, ...later.map(({ end }) => end)].map((end, index) => content.slice(end, later[index]?.start))
  return { text: answerOf(kept.join(''), isAsked), reasoning }
}

/** A reply of the same length with line ends in place of its reasoning. */
export function blankReasoning(content: string): string {
  const { parts } = partsOf(content, notAsked)
  let [blanked, done] = ['', 0]
  for (const { start, end } of parts) {
    blanked += content.slice(done, start) + '\n'.repeat(end - start)
    done = end
  }
  return blanked + content.slice(done)
}

/** A piece of reasoning, and where its marks and the blanks behind them begin and end. */
interface Part {
  readonly start: number
  readonly from: number
  readonly to: number
  readonly end: number
}

interface Parts {
  readonly parts: readonly Part[]
  /** Where the reply begins to speak, behind the reasoning at its beginning. */
  readonly spoken: number
  readonly unclosed?: true
}

function partsOf(content: string, isAsked: IsAsked): Parts {
  const parts: Part[] = []
  const { length } = content
  const spokenFrom = (at: number): number => length - content.slice(at).trimStart().length
  let start = 0
  let at = spokenFrom(0)
  const add = (from: number, close: Place): void => {
    at = spokenFrom(close.index + close.length)
    parts.push({ start, from, to: close.index, end: at })
    start = at
  }
  while (parts.length < maxPieces) {
    const mark = openingOf(content, at, isAsked)
    if (mark === undefined) break
    const from = at + mark.length
    const close = closingOf(mark, content, from)
    if (close === undefined && mark.marks.paired) break
    if (close === undefined) {
      return { parts: [...parts, { start, from, to: length, end: length }], spoken: length, unclosed: true }
    }
    add(from, close)
  }
  const close = parts.length === 0 ? unopenedClosing(content, at, isAsked) : undefined
  if (close !== undefined) add(at, close)
  return { parts: [...parts, ...laterParts(content, at, isAsked)], spoken: at }
}

/**
 * The mark in front of the first reasoning of a reply, empty where the template wrote it; undefined for no reasoning.
 */
export function reasoningMark(content: string): string | undefined {
  const { parts, spoken } = partsOf(content, notAsked)
  const [first] = parts
  return first && first.start < spoken ? content.slice(first.start, first.from).trim() : undefined
}

interface Place {
  readonly index: number
  readonly length: number
}

interface Opening {
  readonly marks: Marks
  readonly length: number
  /** `/thinking>` for `<thinking>`: the closing mark of the same name is preferred. */
  readonly name: string
}

/** The opening mark at a place of a text. */
function openingOf(text: string, at: number, isAsked: IsAsked): Opening | undefined {
  const head = text.slice(at, at + 300)
  for (const marks of table) {
    const [place] = firstPlaces(marks.open, head, 0, 1)
    if (place?.index !== 0) continue
    const mark = head.slice(0, place.length)
    if (isAsked(mark)) continue
    return { marks, length: place.length, name: `/${mark.replace(/^[<[]|\s.*$/gsu, '')}`.toLowerCase() }
  }
  return undefined
}

function closingOf({ marks, name }: Opening, text: string, from: number): Place | undefined {
  const places = firstPlaces(marks.close, text, from)
  const isNamed = ({ index, length }: Place) =>
    text
      .slice(index, index + length)
      .toLowerCase()
      .includes(name)
  const close = places.find(isNamed) ?? places[0]
  return marks.first && close && actionLabel.test(text.slice(from, close.index)) ? undefined : close
}

/** An action with its label: what follows it is no answer. */
const actionLabel = /^[\s>*#_-]{0,20}(?:action|command)[*_ ]{0,4}:/im

/** A closing mark without an opening one of its kind in front of it. */
function unopenedClosing(text: string, from: number, isAsked: IsAsked): Place | undefined {
  const marks = table.flatMap(({ open, close, paired }) => {
    const [end] = paired ? [] : firstPlaces(close, text, from, 1)
    if (end === undefined || end.length === 0 || isAsked(text.slice(end.index, end.index + end.length))) return []
    const [start] = firstPlaces(open, text, from, 1)
    return start !== undefined && start.index < end.index ? [] : [end]
  })
  return marks.sort((one, other) => one.index - other.index)[0]
}

/** Reasoning between two marks later in a text, where it begins a line. */
function laterParts(text: string, from: number, isAsked: IsAsked): readonly Part[] {
  const parts: Part[] = []
  let done = from
  const starts = table
    .flatMap(({ open, first }) => (first ? [] : firstPlaces(open, text, from)))
    .filter(({ index }) => /(?:^|\n)[ \t]*$/u.test(text.slice(Math.max(from, index - 20), index)))
    .sort((one, other) => one.index - other.index)
  for (const { index: start } of starts) {
    if (start < done) continue
    const opening = openingOf(text, start, isAsked)
    const close = opening && closingOf(opening, text, start + opening.length)
    if (close === undefined) continue
    done = close.index + close.length
    parts.push({ start, from: start + opening!.length, to: close.index, end: done })
  }
  return parts
}

/** The answer after reasoning without marks around it. */
function answerOf(text: string, isAsked: IsAsked): string {
  const start = answerStart.exec(text)?.[0] ?? ''
  if (start !== '' && isAsked(start.trim())) return text
  const end = text.trimEnd()
  const mark = answerEnd.exec(end.slice(-60))?.[0] ?? ''
  const answer = (mark === '' ? text : end.slice(0, -mark.length).trimEnd()).slice(start.length)
  return answer.replace(emptyThought, '')
}

function firstPlaces(mark: RegExp, text: string, from = 0, count = maxPieces): readonly Place[] {
  const places: Place[] = []
  mark.lastIndex = from
  for (let match = mark.exec(text); match !== null && places.length < count; match = mark.exec(text)) {
    places.push({ index: match.index, length: match[0].length })
    mark.lastIndex = Math.max(mark.lastIndex, match.index + 1)
  }
  return places
}

/** Reasoning as the setting `reasoning: keep` puts it in front of a reply. */
export function keptReasoning(reasoning: string): string {
  return reasoning.trim() === '' ? '' : `<think>\n${reasoning.trim()}\n</think>\n\n`
}

const roles =
  'im|id|of|eo[tmsruhap]|bos|start|end|begin|header|turn|token|text|role|sentence|utterance|sep|separator|middle|prompt|prompter|return'
const speakers =
  'users?|human|assistant|(?:chat)?bot|system|developer|observation|environment|ipython|tools?(?![_▁ ]?(?:calls?|sep))|tool[_▁ ]?(?:response|outputs?)'
/** Marks of turns and texts in the chat templates of all common models. */
const templateMark = new RegExp(
  [
    // ChatML, Llama, GLM, Phi, harmony, DeepSeek, Command, Granite, Kimi, Apertus, Hunyuan, Grok
    String.raw`<[|｜](?!start[|｜]>assistant)(?:endof|startof)?(?:(?:hy_)?(?:${roles}|${speakers})[_▁ ]?){1,5}[|｜]>|<\|call\|>`,
    // Mistral, Llama 2, EXAONE, MiniMax
    String.raw`\[/?(?:INST|SYSTEM_PROMPT|TOOL_RESULTS|AVAILABLE_TOOLS|EOS|BOS)\]|<</?SYS>>`,
    String.raw`\[\|(?:${speakers}|endofturn)\|\]|\]~b\]|\[e~\[`,
    // Gemma, Baichuan, Nemotron, InternLM, Seed, Ling
    String.raw`</?(?:(?:start|end|beginning)_of_(?:turn|utterance|role|sentence|text)|seed:[be]os|[eb]os|eo[ahp]|s)>|<\|turn>|<turn\|>`,
    String.raw`<(?:reserved_10[67]|extra_id_[01]|SPECIAL_1[0-2])>|</?role>`,
    String.raw`</?(?:tool_response|function_results?)>|^[ \t]*</?(?:user|human|assistant|system|observation)>`,
  ].join('|'),
  'gim',
)

/** The words in front of turns of others; those of the second kind also begin lines of a thought. */
const others = 'humans?|users?|observations?|obs'
const otherwise = [
  'assistant|ai|bot|chatgpt|model|agent|system|environment|env|game(?: master)?|gm|dm|player|narrat(?:or|ion)|simulat(?:or|ion)|world|engine',
  'terminal|console|server|robot|computer|operator|host|moderator|tool|function|customer|interviewer|instructor|instructions?|question',
  'query|input|prompt|task|goal|results?|response|output|outcome|feedback|reply|message|state|scene|observed|reward|score',
  'your task is(?: to)?|[qa](?=[:：])|next step',
  // Chinese
  '用户|人类|玩家|助手|观察(?:结果)?|观测|环境|结果|系统|反馈|游戏|任务|问题|回答',
].join('|')
const steps = 'step|turn|round|example|episode|iteration|trial|attempt|move|步骤'
const numbered = String.raw`(?:time )?(?:${steps})(?= ?[#(]?\d)|第 ?\d{1,4} ?[步轮回]`
const decoration = String.raw`[\s>*#_(\[<={"'|~\p{Extended_Pictographic}\u0060-]{0,20}`
const answerTo = String.raw`(?:(?:the|your|new|next|current|tool|action|environment|env|system|game|function|user|human)(?:['’]s)?[ _]){0,2}`
const number = String.raw`(?:[ _]?[#(]{0,2}\d{1,4}|[ _]?\([^()\n]{1,30}\))?`
const verb = String.raw`(?: (?:says?|said|repl(?:ies|ied)|responds?|responded|answers?|answered|returns?|returned|input|feedback|from the \w{1,20}))?`
const turnOf = (words: string, ends: string): RegExp =>
  new RegExp(`^${decoration}${answerTo}(?:${words})${verb}${number}${ends}`, 'iu')
const othersTurn = turnOf(others, String.raw`[*_\s)\]]{0,6}(?:[:：]|$)`)
const possibleTurn = turnOf(
  `${others}|${otherwise}|${numbered}`,
  String.raw`[*_\s)\]="'|~\u0060-]{0,12}(?:[:：>→\])]|==|[-–—]\s|$)`,
)
/** An observation as environments word it, without a word in front. */
const observation =
  /^[\s>*_(["'`]{0,20}(?:you(?:['’]re\b| (?:see|are|arrive|pick|put|place|open|close|take|turn|find|cannot|can['’]t|move|walk|go)\b)|(?:on|in|inside) the .{1,60}, you see\b|the .{1,40} (?:is|are) (?:closed|open|locked|empty)\b|nothing happens\b|ok\.?\s*$)/i
/** An observation behind the action, on its line. */
const observationWithin = /(?<=[^\s:：\]>]|<\/action>)\s+Observation(?: ?\d{1,4})?[:：]\s/
/** The action of a reply, by the labels that an agent or a layout may give it. */
const actionLine = /^[\s>*#_[-]{0,20}(?:action|command)\b.{0,10}[:：\]]|^\s{0,20}>|<action>/i
/** The model's own turn, which it opens once more. */
const ownTurn = /^(?:\s*(?:assistant|model)\s*(?:[:：]|\n)\s*)?/i

/**
 * A reply up to the first turn that the model invented for another speaker. Turns are told by the marks of chat
 * templates, by words for speakers at the beginning of a line, and behind an action by the words of observations.
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
  const turn = reply.slice(start, end)
  let at = 0
  let hasActed = false
  for (const line of turn.split('\n')) {
    const from = at
    at += line.length + 1
    if (line === '') continue
    const isTurn = hasActed ? possibleTurn.test(line) || observation.test(line) : othersTurn.test(line)
    if (isTurn && turn.slice(0, from).trim() !== '') return turn.slice(0, from)
    if (!actionLine.test(line)) continue
    const within = observationWithin.exec(line)
    if (within !== null) return turn.slice(0, from + within.index)
    hasActed = true
  }
  return turn
}

const endMarks = new RegExp(String.raw`(?:(?:${templateMark.source}|\0)\s{0,20})+$`, 'im')

/** A text without the marks of chat templates at its end. */
export function withoutEndMarks(text: string): string {
  const from = Math.max(0, text.length - maxEndLength)
  const mark = endMarks.exec(text.slice(from))
  return mark === null ? text : text.slice(0, from + mark.index).trimEnd()
}

/** Maximum length of the marks at the end of a text. */
const maxEndLength = 200

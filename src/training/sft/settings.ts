import type { TrainingRow, TrainingTurn } from '../../training/data-filter.js'

/**
 * The settings of AgentRefine's Table 2, read by its refinement loss (Equation 1): what is learned from, and what is
 * left out.
 */
export const sftSettings = {
  refinement: 'wrong turns stay in the context and are not learned from; all others are, corrections too',
  'with-erroneous-loss': 'wrong turns are learned from like all others',
  'without-refinement-loss': 'wrong turns and the corrections after them stay in the context; neither is learned from',
  'without-refinement-data':
    'wrong turns are cut out with their answers; what is left reads as if nothing had gone wrong',
} as const
/** One of {@link sftSettings}. */
export type SftSetting = keyof typeof sftSettings

/**
 * The kind of an assistant turn. `ready` only confirms that the task was read, as AgentTraj's `Ok.` does; `correction`
 * directly follows a wrong turn.
 */
export type TurnKind = 'right' | 'wrong' | 'correction' | 'ready'

/**
 * The kind of each turn of a row; undefined for turns that are not the assistant's. A turn marked as not to be learned
 * from is `wrong`, unless it is `ready`.
 */
export function kindsOf({ turns }: TrainingRow): readonly (TurnKind | undefined)[] {
  let before: TurnKind = 'ready'
  let isFirst = true
  return turns.map((turn, index) => {
    if (turn.role !== 'assistant') return undefined
    if (before === 'correction' && turn.loss !== false && turns[index - 1]?.role === 'assistant') return before
    const isReady = isFirst && turn.loss === false && /^\s*ok[.!]?\s*$/i.test(turn.text)
    isFirst = false
    before = isReady ? 'ready' : turn.loss === false ? 'wrong' : before === 'wrong' ? 'correction' : 'right'
    return before
  })
}

/**
 * Applies a setting to a row. Consecutive turns of one role are joined if they are treated alike; turns after the last
 * assistant turn are dropped.
 * @returns the row, or why it cannot be used, as a sentence without a full stop
 */
export function applySetting(row: TrainingRow, setting: SftSetting): TrainingRow | { readonly unusable: string } {
  const kinds = kindsOf(row)
  if (setting === 'without-refinement-data' && row.labels?.['detours'] !== undefined) {
    return { unusable: 'a mistake changed something, so that it cannot be cut out' }
  }
  const turns = row.turns.flatMap((turn, index): TrainingTurn[] => {
    const kind = kinds[index]
    if (kind === undefined) {
      const isAnswer = setting === 'without-refinement-data' && kinds[index - 1] === 'wrong'
      return isAnswer ? [] : [{ role: turn.role, text: turn.text }]
    }
    if (setting === 'without-refinement-data' && kind === 'wrong') return []
    const text = setting === 'without-refinement-data' && kind === 'correction' ? withoutThought(turn.text) : turn.text
    return [{ role: turn.role, text, loss: learns[setting].includes(kind) }]
  })
  return layOut({ ...(row.id !== undefined && { id: row.id }), turns })
}

const learns: Readonly<Record<SftSetting, readonly TurnKind[]>> = {
  refinement: ['right', 'correction'],
  'with-erroneous-loss': ['right', 'correction', 'wrong'],
  'without-refinement-loss': ['right'],
  'without-refinement-data': ['right', 'correction'],
}

/** A correction without its thought about the mistake, in the layouts that have thought and action in one reply. */
function withoutThought(text: string): string {
  const thought = /^[ \t]*thought:/im.exec(text)
  const action = /^[ \t]*action:/gim
  action.lastIndex = thought === null ? text.length : thought.index + thought[0].length
  const to = action.exec(text)?.index
  const rest =
    to === undefined ? text : text.slice(0, lineAfter(text, thought!.index)) + text.slice(lineAfter(text, to))
  const open = rest.search(/<think>/i)
  const length = open === -1 ? -1 : rest.slice(open).search(/<\/think>/i)
  return length === -1 ? rest : `${rest.slice(0, open)}<think>${rest.slice(open + length)}`
}

/** The begin of the line after the last text before an index: blank lines belong to what follows them. */
function lineAfter(text: string, index: number): number {
  const { length } = text.slice(0, index).trimEnd()
  return length === 0 ? 0 : Math.min(text.indexOf('\n', length) + 1 || index, index)
}

/**
 * Brings turns into the order that trainers require: an optional system turn, then user and assistant alternately,
 * ending with the assistant.
 */
function layOut({ id, turns }: TrainingRow): TrainingRow | { readonly unusable: string } {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const ordered: TrainingTurn[] = []
  for (const turn of turns.slice(0, last + 1)) {
    const before = ordered.at(-1)
    if (before?.role !== turn.role) {
      ordered.push(turn)
    } else if (before.loss === turn.loss) {
      const gap = /\s$/.test(before.text) || /^\s/.test(turn.text) ? '' : '\n'
      ordered[ordered.length - 1] = { ...before, text: before.text + gap + turn.text }
    } else {
      return { unusable: 'the assistant speaks twice, and only one of both is learned from' }
    }
  }
  if (!ordered.some(({ loss }) => loss === true)) return { unusable: 'nothing in it is learned from' }
  const dialogue = ordered[0]!.role === 'system' ? ordered.slice(1) : ordered
  if (dialogue.some(({ role }) => role === 'system')) return { unusable: 'it has a system turn after the first turn' }
  if (dialogue[0]!.role !== 'user') return { unusable: 'the assistant speaks first' }
  return { ...(id !== undefined && { id }), turns: ordered }
}

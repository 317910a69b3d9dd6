import type { TrainingRow, TrainingTurn } from '../../core/training.js'

/**
 * The settings of AgentRefine's Table 2 by the reading of its refinement loss (Equation 1): what is learned from, and
 * what is left out.
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
 * What a turn of the assistant is: `ready` only says that it has read the task, as AgentTraj's `Ok.`; `correction`
 * comes right after a wrong one.
 */
export type TurnKind = 'right' | 'wrong' | 'correction' | 'ready'

/**
 * Tells what each turn of a row is; undefined for those that are not the assistant's. A turn that is not to be learned
 * from is a wrong one.
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
 * Sets what is learned from in a row. Turns in a row of one role become one where they are treated alike; what follows
 * the last turn of the assistant goes.
 * @returns the row, or why it cannot be used, in a sentence without a full stop
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

/** A correction without what was thought of the mistake, in the layouts that have thoughts and actions in one reply. */
function withoutThought(text: string): string {
  return text.replace(/^\s*thought:[^]*?(?=^\s*action:)/im, '').replace(/<think>[^]*?<\/think>/i, '<think></think>')
}

/**
 * Brings turns into the order that trainers ask for: perhaps a system turn, then user and assistant by turns, ending
 * with the assistant.
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

import type { GameState, Processor } from './processor.js'

/**
 * `save`: keeps the state in memory; a machine has one saved game. Version 3 branches on success, later versions store
 * 1. After a restore the same instruction branches again, or stores 2 (section 15 of the standard).
 */
export function saveGame(processor: Processor): void {
  processor.saved = processor.kept()
  answer(processor, 1)
}

/** `restore`: goes on after the instruction that saved; answers 0 where nothing was saved. */
export function returnToSave(processor: Processor): void {
  if (processor.saved === undefined) return answer(processor, 0)
  resume(processor, processor.saved)
}

export function saveForUndo(processor: Processor): void {
  processor.keepUndo()
  processor.store(1)
}

/** `restore_undo`: each kept state is used once, the youngest first. */
export function undo(processor: Processor): void {
  const state = processor.undo.at(-1)
  if (state === undefined) return processor.store(0)
  processor.undo = processor.undo.slice(0, -1)
  resume(processor, state)
}

function resume(processor: Processor, state: GameState): void {
  processor.resume(state)
  answer(processor, 2)
}

function answer(processor: Processor, value: number): void {
  if (processor.version === 3) processor.branch(value !== 0)
  else processor.store(value)
}

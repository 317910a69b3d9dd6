import type { Processor } from './processor.js'

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
  processor.resume(processor.saved)
  answer(processor, 2)
}

function answer(processor: Processor, value: number): void {
  if (processor.version === 3) processor.branch(value !== 0)
  else processor.store(value)
}

import { ShaketableError } from '../../../core/errors.js'

/**
 * What a story did that an interpreter cannot carry out: a bad address, an illegal opcode, a stack overflow, an endless
 * loop. The only error that playing a story throws, whatever the file contains.
 */
export class StoryFault extends ShaketableError {
  override readonly name: string = 'StoryFault'
  /** The byte address of the instruction. */
  readonly address: number
  /** Whether the story would work on without end. */
  readonly isEndless: boolean
  /** What the story printed since the last input. */
  said = ''

  constructor(reason: string, address: number, isEndless = false) {
    super(
      'environment',
      `the story cannot go on: ${reason}, in the instruction at address ${hexadecimal(address)}. ` +
        'The file may be damaged, or the story itself be faulty.',
    )
    this.address = address
    this.isEndless = isEndless
  }
}

/** An address as the documents of the Z-machine write it: `0x4f05`. */
export function hexadecimal(address: number): string {
  return `0x${address.toString(16)}`
}

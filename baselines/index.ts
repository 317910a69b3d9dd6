import type { Model } from 'shaketable'
import { ShaketableError } from 'shaketable'
import { createOracle } from './oracle.js'
import { createParrot } from './parrot.js'
import { createRandomModel } from './random.js'
import { createReader } from './reader.js'

/** A control model: what it is, and how to make one. `option` is what stands behind the colon in `parrot:new`. */
export interface Baseline {
  readonly name: string
  readonly summary: string
  readonly source: string
  create(option?: string): Model
}

/** All control models. */
export const baselines: readonly Baseline[] = [
  {
    name: 'reader',
    summary: 'reads the action forms in the prompt that it is given and learns from refusals',
    source: 'control of this testbed: what a model does that follows its prompt',
    create: (option) => plain('reader', option, createReader),
  },
  {
    name: 'parrot',
    summary:
      "the reader's skill in each world's original wording, whatever the prompt says (`parrot:new`: ALFWorld's of 2024)",
    source: 'control of this testbed: the memorised environment of AgentRefine, section 3',
    create: createParrot,
  },
  {
    name: 'random',
    summary: "anything that the prompt's action forms and the names seen so far allow",
    source: 'control of this testbed: the floor',
    create: (option) => plain('random', option, createRandomModel),
  },
  {
    name: 'oracle',
    summary: "plays the planner's solution through the perturbation, and marks what can be solved",
    source: 'control of this testbed: the ceiling',
    create: (option) => plain('oracle', option, createOracle),
  },
]

function plain(name: string, option: string | undefined, create: () => Model): Model {
  if (option === undefined) return create()
  throw new ShaketableError(
    'usage',
    `The control model '${name}' takes no option, got '${option.slice(0, 100)}'. Write '${name}'.`,
  )
}

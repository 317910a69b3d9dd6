import { type ModelDefinition, defineModel } from '../src/define.js'
import { gradedModels } from './graded.js'
import { createOracle } from './oracle.js'
import { createParrot } from './parrot.js'
import { createRandomModel } from './random.js'
import { createReader } from './reader.js'

/** All control models. */
export const baselines: readonly ModelDefinition[] = [
  defineModel({
    name: 'reader',
    summary:
      "says the planner's solution in the wording that its prompt gives, and learns from refusals (`reader:text`: explores the household by text alone)",
    source: 'control of this testbed: what a model does that follows its prompt',
    takesOption: true,
    create: createReader,
  }),
  defineModel({
    name: 'parrot',
    summary:
      "the reader's skill in the unperturbed wording, whatever the prompt says (`parrot:new`: ALFWorld's of 2024)",
    source: 'control of this testbed: the memorised environment of AgentRefine, section 3',
    takesOption: true,
    create: createParrot,
  }),
  defineModel({
    name: 'random',
    summary: "anything that the prompt's action forms and the names seen so far allow",
    source: 'control of this testbed: the floor',
    create: createRandomModel,
  }),
  defineModel({
    name: 'oracle',
    summary: "plays the planner's solution through the perturbation, and marks what can be solved",
    source: 'control of this testbed: the ceiling',
    create: createOracle,
  }),
  ...gradedModels,
]

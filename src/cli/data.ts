import { Command } from 'commander'
import { withExamples } from './_flags.js'
import { agreementCommand } from './agreement.js'
import { collectCommand } from './collect.js'
import { diversityCommand } from './diversity.js'
import { exportCommand } from './export.js'
import { exportSftCommand } from './export-sft.js'
import { filterIndCommand } from './filter-ind.js'
import { synthesiseCommand } from './synthesise.js'
import { verifyCommand } from './verify.js'

/** Each with its summary and examples: command lines without `shaketable data`. */
export const dataCommands: readonly (readonly [create: () => Command, summary: string, ...examples: string[]])[] = [
  [
    collectCommand,
    'play tasks with a control model and write trajectories for training',
    'collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl',
  ],
  [
    synthesiseCommand,
    'make training data of synthesised worlds, from personas',
    'synthesise --model teacher --count 1000 --out synthesised.jsonl',
    'synthesise --model my-model --base-url http://localhost:8000/v1 --personas personas.jsonl --count 4000 --out data.jsonl',
  ],
  [verifyCommand, 'verify training trajectories against their script', 'verify trajectories.json --script script.json'],
  [
    filterIndCommand,
    'drop the rows of evaluation environments from training data',
    'filter-ind agenttraj.json --env alfworld,babyai,scienceworld --out agenttraj-clean.json',
  ],
  [
    exportSftCommand,
    'write trajectories as training files for LLaMA-Factory and TRL',
    'export-sft refine.jsonl --out data --trainer llama-factory',
  ],
  [
    exportCommand,
    "write a run's episodes as ATIF trajectories, or as flat rows",
    'export runs/first --format atif --out trajectories.jsonl',
    'export runs/first --format rows --out rows',
  ],
  [
    diversityCommand,
    'measure how diverse the thoughts of training data are',
    'diversity fixed.jsonl varied.jsonl --out diversity',
  ],
  [agreementCommand, 'measure how far two judges agree, beyond chance', 'agreement judgements.csv'],
]

/** `shaketable data`: makes, checks, filters, exports and measures training data. */
export function dataCommand(): Command {
  const command = new Command('data').description('Makes, checks, filters, exports and measures training data.')
  for (const [create, summary, ...examples] of dataCommands) {
    command.addCommand(
      withExamples(
        create(),
        summary,
        examples.map((example) => `data ${example}`),
      ),
    )
  }
  return command
}

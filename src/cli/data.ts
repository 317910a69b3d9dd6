import { Command } from 'commander'
import { agreementCommand } from './agreement.js'
import { collectCommand } from './collect.js'
import { diversityCommand } from './diversity.js'
import { exportCommand } from './export.js'
import { exportSftCommand } from './export-sft.js'
import { filterIndCommand } from './filter-ind.js'
import { synthesiseCommand } from './synthesise.js'
import { verifyCommand } from './verify.js'

interface DataCommand {
  readonly create: () => Command
  readonly summary: string
  /** Command lines without `shaketable data`. */
  readonly examples: readonly string[]
}

const dataCommands: readonly DataCommand[] = [
  {
    create: collectCommand,
    summary: 'play tasks with a control model and write trajectories for training',
    examples: ['collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl'],
  },
  {
    create: synthesiseCommand,
    summary: 'make training data of synthesised worlds, from personas',
    examples: [
      'synthesise --model teacher --count 1000 --out synthesised.jsonl',
      'synthesise --model my-model --base-url http://localhost:8000/v1 --personas personas.jsonl --count 4000 --out data.jsonl',
    ],
  },
  {
    create: verifyCommand,
    summary: 'verify training trajectories against their script',
    examples: ['verify trajectories.json --script script.json'],
  },
  {
    create: filterIndCommand,
    summary: 'drop the rows of evaluation environments from training data',
    examples: ['filter-ind agenttraj.json --env alfworld,babyai,scienceworld --out agenttraj-clean.json'],
  },
  {
    create: exportSftCommand,
    summary: 'write trajectories as training files for LLaMA-Factory, axolotl and TRL',
    examples: ['export-sft refine.jsonl --out data --trainer llama-factory'],
  },
  {
    create: exportCommand,
    summary: "write a run's episodes as ATIF trajectories or as flat rows",
    examples: [
      'export runs/first --format atif --out trajectories.jsonl',
      'export runs/first --format rows --out data',
    ],
  },
  {
    create: diversityCommand,
    summary: 'measure how diverse the thoughts and environments of training data are',
    examples: [
      'diversity fixed.jsonl varied.jsonl --out diversity',
      'diversity refine.jsonl --embeddings my-embedder --base-url http://localhost:8000/v1',
    ],
  },
  {
    create: agreementCommand,
    summary: 'measure how far two judges agree, beyond chance',
    examples: ['agreement judgements.csv --judges first,second'],
  },
]

/** `shaketable data`: makes, checks, filters, exports and measures training data. */
export function dataCommand(): Command {
  const command = new Command('data').description('Makes, checks, filters, exports and measures training data.')
  for (const { create, summary, examples } of dataCommands) {
    const lines = examples.map((example) => `  shaketable data ${example}`).join('\n')
    command.addCommand(create().summary(summary).addHelpText('after', `\nExamples:\n${lines}`))
  }
  return command
}

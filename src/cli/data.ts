import { Command } from 'commander'
import { inList } from './_flags.js'
import { agreementCommand } from './agreement.js'
import { collectCommand } from './collect.js'
import { diversityCommand } from './diversity.js'
import { exportCommand } from './export.js'
import { exportSftCommand } from './export-sft.js'
import { filterIndCommand } from './filter-ind.js'
import { synthesiseCommand } from './synthesise.js'
import { verifyCommand } from './verify.js'

/** Each by its name, with its summary and examples: command lines without `shaketable data`. */
export const dataCommands: Readonly<Record<string, readonly [() => Command, summary: string, ...examples: string[]]>> =
  {
    collect: [
      collectCommand,
      'play tasks with a control model and write the conversations for training, with corrected mistakes if wanted',
      'collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl',
    ],
    synthesise: [
      synthesiseCommand,
      'make training data of synthesised worlds from personas, as AgentRefine does, or continue that',
      'synthesise --model my-model --base-url http://localhost:8000/v1 --personas personas.jsonl --count 4000 --out data.jsonl',
    ],
    verify: [
      verifyCommand,
      "verify training trajectories against their script, by AgentRefine's Algorithm 1",
      'verify trajectories.json --script script.json',
    ],
    'filter-ind': [
      filterIndCommand,
      "drop the rows of evaluation environments from training data: AgentRefine's fifth perturbation",
      'filter-ind agenttraj.json --env alfworld,babyai,scienceworld --out agenttraj-clean.json',
    ],
    'export-sft': [
      exportSftCommand,
      'write trajectories as training files for LLaMA-Factory and TRL, in which turns are learned from or masked',
      'export-sft refine.jsonl --out data --trainer llama-factory',
    ],
    export: [
      exportCommand,
      "write a run's episodes as ATIF trajectories, or as flat rows",
      'export runs/first --format atif --out trajectories.jsonl',
    ],
    diversity: [
      diversityCommand,
      'measure how diverse the thoughts of training data are, by TF–IDF',
      'diversity fixed.jsonl varied.jsonl',
    ],
    agreement: [
      agreementCommand,
      "measure how far two judges of the same items agree: matrix, share and Cohen's kappa",
      'agreement judgements.csv',
    ],
  }

/** `shaketable data`: makes, checks, filters, exports and measures training data. */
export function dataCommand(): Command {
  const command = new Command()
  for (const [name, [create, summary, ...examples]] of Object.entries(dataCommands)) {
    const shown = examples.map((example) => `data ${example}`)
    command.addCommand(inList(create(), name, summary, shown))
  }
  return command
}

import type { OptionsOf } from './_flags.js'
import { budgetFlags, exchangeFlags, pluginFlag, several, whole } from './_flags.js'

/** The flags of `shaketable run`. */
export const runFlags = [
  'What to play:',
  ['--env <names>', 'environments, separated by commas', several],
  ['--tasks <n|ids>', 'number of tasks of each environment, or their ids'],
  ['--perturb <names>', 'perturbations, separated by commas; a+b applies both; none is always added', several],
  ['--suite <name>', 'a set of conditions: core (default for models behind a server), full or agentrefine'],
  ['--draws <n>', 'draws of each perturbation that has several wordings, each a condition of its own'],
  ['--temperatures <numbers>', 'such as 0,1'],
  ['--seeds <n|numbers>', 'number of seeds, or a list of them'],
  ['--steps <n>', 'step limit of an episode'],
  ['--only <axis=values>', 'play a part, such as model=tuned,seed=0; the rest stays planned', several],
  ['--set <setting=value>', 'a setting of experiment files, such as attempts=3, or environment.option=value', several],
  pluginFlag,
  'Models:',
  ['--model <names>', 'control models (see shaketable list models), or models behind --base-url', several],
  ['--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY'],
  ['--agent <names>', 'agents, the prompt layouts (default: act; react for models behind a server)', several],
  ['--max-tokens <n>', 'token limit of a reply (default: 100; behind a server 512, or 4096 for reasoning models)'],
  ['--retry-refused', 'play episodes again whose conversation a server refused, as a content filter does'],
  ['--no-probe', 'do not probe servers before the first episode; see shaketable doctor'],
  ['--accept-changed-model', 'continue although a server serves another model under the name; reports say so'],
  'Speed and limits:',
  ['--concurrency <n>', 'episodes played at once on a server'],
  whole('--workers <n>', 'threads for control models; 0 plays in the main thread', 0, 256),
  ['--shard <i/n>', 'play the i-th of n shards, such as 3/16, into a folder of its own; see merge'],
  ['--queue <address>', 'let workers play, through Redis or Valkey at redis://host:6379; see docs/large-runs.md'],
  ...budgetFlags,
  'Files:',
  ['--out <folder>', 'folder of the run (default: runs/<name>, or named by the settings of these flags)'],
  ...exchangeFlags,
  'What to print:',
  ['--dry-run', 'print the grid and its largest cost, and play nothing'],
  ['--quiet', 'print nothing but errors; the exit code says how it ended'],
  ['--json', 'print the summary as one JSON document'],
  ['--open', 'open the page of the reports in the browser at the end'],
] as const

/** The flags of `shaketable run` as given. */
export type RunFlags = OptionsOf<typeof runFlags>

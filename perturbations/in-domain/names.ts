import type { FilteredEnvironment, RowPlace, TrainingRow } from '../../src/define.js'

/** An evaluation environment, and the names of rows that were collected in it. */
export interface InDomainEnvironment extends FilteredEnvironment {
  /** Words that name it anywhere in an id, a split or a label. */
  readonly anywhere: readonly string[]
  /** Words that name it only at the start of an id, or as the name of a file. */
  readonly first: readonly string[]
}

/** The environments of AgentRefine's evaluation. */
export const inDomainEnvironments: readonly InDomainEnvironment[] = [
  { name: 'alfworld', also: ['household'], anywhere: ['alfworld'], first: ['household'] },
  { name: 'babyai', also: [], anywhere: ['babyai'], first: [] },
  { name: 'scienceworld', also: ['sciworld'], anywhere: ['scienceworld', 'sciworld'], first: [] },
  { name: 'pddl', also: [], anywhere: [], first: ['pddl', 'barman', 'blockworld', 'gripper', 'tyreworld'] },
  { name: 'jericho', also: [], anywhere: [], first: ['jericho'] },
]

/** Words in file names that do not indicate the content of the rows. */
const decoration =
  /^(\d+|of|[0-9a-f]{8,}|train|training|test|dev|val|valid|validation|eval|seen|unseen|sft|react|cot|traj|trajs|trajectory|trajectories|expert|data|dataset|all|raw|part|shard|split|new|old|v\d+)$/
/** Keys under which records give their origin. */
const originKeys = new Set(
  'split subset source src dataset data_source env environment env_name domain benchmark task task_type task_name game_file'.split(
    ' ',
  ),
)

/** Whether an id names an environment: `alfworld_17`, `train/alfworld-17`, `household_3`. */
export function isIdOf(environment: InDomainEnvironment, id: string): boolean {
  const words = wordsOf(id)
  const firstWord = words.find((word) => word !== 'train' && word !== 'test')
  return words.some((word) => isName(word, environment.anywhere)) || isName(firstWord, environment.first)
}

/**
 * Whether a file name consists of nothing but an environment's name and decoration:
 * `alfworld_train-00000-of-00001.jsonl`, but not `no-alfworld.jsonl`.
 */
export function isFileOf(environment: InDomainEnvironment, { file }: RowPlace): boolean {
  const words = wordsOf(file.replace(/\.[a-z]{2,7}$/i, '')).filter((word) => !decoration.test(word))
  const names = [...environment.anywhere, ...environment.first]
  return words.length > 0 && words.every((word) => isName(word, names))
}

/** The label, as `key: value`, that names the environment as the origin of a row. */
export function labelOf(environment: InDomainEnvironment, { labels }: TrainingRow): string | undefined {
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (!originKeys.has(key.toLowerCase())) continue
    const words = wordsOf(value)
    const contentWords = words.filter((word) => !decoration.test(word))
    if (
      words.some((word) => isName(word, environment.anywhere)) ||
      (contentWords.length === 1 && isName(contentWords[0], environment.first))
    ) {
      return `${key}: ${value}`
    }
  }
  return undefined
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** `alfworld` and `alfworld17` are names; `alfworldish` is not. */
function isName(word: string | undefined, names: readonly string[]): boolean {
  return word !== undefined && names.includes(word.replace(/\d+$/, ''))
}

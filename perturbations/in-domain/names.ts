import type { RowPlace, TrainingRow } from 'shaketable'
import type { InDomainEnvironment } from './environments.js'

/** Words in names of files that say nothing about what rows are about. */
const decoration =
  /^(\d+|of|[0-9a-f]{8,}|train|training|test|dev|val|valid|validation|eval|seen|unseen|sft|react|cot|traj|trajs|trajectory|trajectories|expert|data|dataset|all|raw|part|shard|split|new|old|v\d+)$/
/** Under which keys records say where they come from. */
const originKeys = new Set(
  'split subset source src dataset data_source env environment env_name domain benchmark task task_type task_name game_file'.split(
    ' ',
  ),
)

/** Whether an id says that its row belongs to an environment: `alfworld_17`, `train/alfworld-17`, `household_3`. */
export function isIdOf(environment: InDomainEnvironment, id: string): boolean {
  const words = wordsOf(id)
  const begin = words.find((word) => word !== 'train' && word !== 'test')
  return words.some((word) => isName(word, environment.anywhere)) || isName(begin, environment.first)
}

/**
 * Whether a file's name says nothing else than an environment: `alfworld_train-00000-of-00001.jsonl`, but not
 * `no-alfworld.jsonl`.
 */
export function isFileOf(environment: InDomainEnvironment, { file }: RowPlace): boolean {
  const words = wordsOf(file.replace(/\.[a-z]{2,7}$/i, '')).filter((word) => !decoration.test(word))
  const names = [...environment.anywhere, ...environment.first]
  return words.length > 0 && words.every((word) => isName(word, names))
}

/** The label, as `key: value`, that says that a row was collected in an environment. */
export function labelOf(environment: InDomainEnvironment, { labels }: TrainingRow): string | undefined {
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (!originKeys.has(key.toLowerCase())) continue
    const words = wordsOf(value)
    const only = words.filter((word) => !decoration.test(word))
    if (
      words.some((word) => isName(word, environment.anywhere)) ||
      (only.length === 1 && isName(only[0], environment.first))
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

/** `alfworld` and `alfworld17` are names, `alfworldish` is none. */
function isName(word: string | undefined, names: readonly string[]): boolean {
  return word !== undefined && names.includes(word.replace(/\d+$/, ''))
}

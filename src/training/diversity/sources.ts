import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Trajectory } from '../../core/episode.js'
import { isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { StoredRun } from '../../run/plan.js'
import type { TrainingRow, TrainingTurn } from '../data-filter.js'
import type { ReadRowsOptions } from '../read-rows.js'
import { readTraining } from '../sft/read-training.js'
import { kindsOf } from '../sft/settings.js'
import { boundedThoughts, readReply, thoughtsOf } from './read-reply.js'

/** One trajectory: a row of training data, or an episode. */
interface SourceRow {
  /** Its turns without those that only confirm or only think. */
  readonly row: TrainingRow
  /** Those with a word; bounded in number and length. */
  readonly thoughts: readonly string[]
}

/** A data set, or the episodes of a model; its rows can be read several times. */
export interface Source {
  readonly name: string
  /** The file, or the folder of the run, as it was given. */
  readonly path: string
  readonly kind: 'data' | 'run'
  rows(): Iterable<SourceRow>
}

const batch = 64

/**
 * The data sets at some paths: a file of training data is one; a run is one for each of its models. Names that occur
 * twice become paths.
 * @param readRun reads the folder of a run
 * @param problem called for each unreadable record, in the first reading only
 * @throws ShaketableError `bad-input` for a path with nothing there, and for a folder that is not a run
 */
export function openSources(
  paths: readonly string[],
  readRun: (folder: string) => StoredRun,
  problem?: ReadRowsOptions['problem'],
): readonly Source[] {
  const sources = paths.flatMap((path): readonly Source[] => {
    if (!existsSync(path)) {
      throw new ShaketableError(
        'bad-input',
        `Expected training data or a run at ${path}, but there is nothing of that name. Check the path.`,
      )
    }
    if (!statSync(path).isDirectory()) return [openData(path, problem)]
    if (!existsSync(join(path, 'plan.json'))) {
      throw new ShaketableError(
        'bad-input',
        `Expected a file of training data or the folder of a run, got the folder ${path} without a plan.json. Name the files in it.`,
      )
    }
    const run = readRun(path)
    return run.plan.models.map(({ name }) => openEpisodes(path, run, name))
  })
  return sources.map((source) => {
    const isAlone = sources.filter(({ name }) => name === source.name).length === 1
    return isAlone ? source : { ...source, name: `${source.path}: ${source.name}` }
  })
}

function openData(path: string, problem: ReadRowsOptions['problem']): Source {
  let isFirst = true
  return {
    name: basename(path).replace(/\.(?:json|jsonl|ndjson)$/i, ''),
    path,
    kind: 'data',
    *rows() {
      const options = isFirst && problem !== undefined ? { problem } : {}
      isFirst = false
      for (const row of readTraining(path, options)) yield readRow(row)
    },
  }
}

function readRow(row: TrainingRow): SourceRow {
  const kinds = kindsOf(row)
  const thoughts: string[] = []
  const turns = row.turns.filter(({ text }, index) => {
    if (kinds[index] === undefined) return true
    if (kinds[index] === 'ready') return false
    const { thought, action } = readReply(text)
    thoughts.push(thought)
    return action !== undefined
  })
  return { row: { ...row, turns }, thoughts: boundedThoughts(thoughts) }
}

function openEpisodes(path: string, run: StoredRun, model: string): Source {
  return {
    name: model,
    path,
    kind: 'run',
    *rows() {
      let keys: string[] = []
      const readBatch = function* () {
        const found = run.trajectories?.(keys)
        for (const key of keys) {
          const trajectory = found?.get(key)
          if (trajectory !== undefined) yield readEpisode(key, trajectory)
        }
        keys = []
      }
      for (const row of run.rows) {
        if (row.model !== model || !isValid(row.outcome)) continue
        if (keys.push(row.key) === batch) yield* readBatch()
      }
      yield* readBatch()
    },
  }
}

/** An episode as a row; its whole prompt is one turn, so that the actions of worked examples do not count. */
function readEpisode(key: string, trajectory: Trajectory): SourceRow {
  const { prompt, opening, steps } = trajectory
  const turns = steps.flatMap(({ action, observation }): TrainingTurn[] => [
    { role: 'assistant', text: `Action: ${action}` },
    { role: 'user', text: observation },
  ])
  const top = prompt.map(({ content }) => content).join('\n')
  const text = top.includes(opening.observation) ? top : `${top}\n${opening.observation}`
  return { row: { id: key, turns: [{ role: 'user', text }, ...turns] }, thoughts: thoughtsOf(trajectory) }
}

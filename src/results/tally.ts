import { type EpisodeRow, type Plan, isChanged, isValid, ShaketableError } from '../define.js'
import type { Shape } from './passes.js'
import { addRow, noSums } from './sums.js'

/** The episodes of one environment × model × agent × condition as numbers, 58 bytes each. */
export type Tally = ReturnType<typeof emptyTally>

/**
 * Adds an episode to its group.
 * @throws ShaketableError `store` for a second row of one episode.
 */
export function addToTally(tally: Tally, slot: number, temperature: number, row: EpisodeRow): void {
  if (tally.state[slot] !== 0) {
    throw new ShaketableError(
      'store',
      `Expected one row for each episode, got two for task '${row.task}' of ${row.environment} (condition ${row.condition}, model ` +
        `${row.model}, agent ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}). Pass only the latest row of each key.`,
    )
  }
  addRow(tally.sums[temperature]!, row)
  if (!isValid(row.outcome)) {
    tally.state[slot] = 1
    return
  }
  const { measures } = row
  tally.state[slot] = 2
  tally.success[slot] = row.outcome === 'success' ? 1 : 0
  tally.progress[slot] = row.progress
  tally.grounding[slot] = (measures.understood ?? NaN) / measures.steps
  tally.adapted[slot] = measures.adapted ?? 0
  tally.steps[slot] = measures.steps
  tally.tokens[slot] = measures.promptTokens + measures.completionTokens
  tally.changed[slot] = row.dose === undefined || isChanged(row.dose) ? 1 : 0
  tally.touched[slot] = measures.touched ?? NaN
  tally.prints[slot] = row.trace === undefined ? slot : Number.parseInt(row.trace.slice(0, 8), 16)
  const { wordings, choices } = measures
  const keep = (name: Rare, value: number): void => {
    tally.rare[name] ??= unknown(tally.state.length)
    tally.rare[name][slot] = value
  }
  const made = choices ? choices.original + choices.alias + choices.mixed : 0
  if (choices && made > 0) keep(`${choices.first}First`, (choices.original + choices.mixed / 2) / made)
  if (wordings && wordings.scored > 0)
    for (const part of ['present', 'original', 'preferred'] as const) keep(part, wordings[part] / wordings.scored)
}

function unknown(slots: number): Float64Array {
  return new Float64Array(slots).fill(NaN)
}

/** The tally of a group without a row. Without `seedsAtZero` every seed is planned at temperature 0 too. */
export function emptyTally(shape: Shape, { temperatures, stepLimit }: Plan, seedsAtZero = Infinity) {
  const passes = shape.temperatures * shape.seeds
  const slots = passes * shape.tasks
  return {
    shape,
    stepLimit,
    /** One for each temperature. */
    sums: Array.from({ length: shape.temperatures }, () => noSums(stepLimit)),
    sameAs: Uint32Array.from({ length: passes }, (_, pass) => pass % shape.seeds),
    planned: Uint8Array.from({ length: passes }, (_, pass) =>
      temperatures[Math.floor(pass / shape.seeds)] !== 0 || pass % shape.seeds < seedsAtZero ? 1 : 0,
    ),
    // The lists below have one place for each slot.
    state: new Uint8Array(slots),
    success: new Uint8Array(slots),
    progress: new Float64Array(slots),
    /**
     * A hash of the episode's text, equal for copies, otherwise by chance once in 2³²; the slot where it is not known.
     */
    prints: new Uint32Array(slots),
    /** Share of actions understood; NaN without a step, and where the environment does not report it. */
    grounding: new Float64Array(slots),
    /** Number of the first step understood in the new wording; 0 without one. */
    adapted: new Uint32Array(slots),
    steps: new Uint32Array(slots),
    /** Of prompts and replies. */
    tokens: new Uint32Array(slots),
    /** 1 where the dose was not zero (or not recorded). */
    changed: new Uint8Array(slots),
    /** Steps in which something was changed; NaN where the row does not tell. */
    touched: new Float64Array(slots),
    /** Distance of the actions from those of the clean twin, see `compareActions`; NaN where it is not known. */
    distance: unknown(slots),
    /** Step of their first difference; 0 where it is not known. */
    divergence: new Uint32Array(slots),
    /** Whether the world began as that of the clean twin: 1 where it did, 2 where not, 0 where it is not known. */
    began: new Uint8Array(slots),
    /** What few episodes have; a list is absent until one has it, and NaN elsewhere. */
    rare: {} as Partial<Record<Rare, Float64Array>>,
  }
}

/**
 * Mean log-probability of both wordings, and the share of steps in which the present one is likelier; in mode `alias`
 * the share of choices of the original wording, by the wording that was listed first.
 */
type Rare = 'present' | 'original' | 'preferred' | 'originalFirst' | 'aliasFirst'

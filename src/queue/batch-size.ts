/** How long a job should take: long beside what it costs to send it, short for a worker that has to stop. */
const jobMs = 500
/** Cells of a batch at most, in least batches. Others may take much longer than those that were measured. */
const maxUnits = 8
/** Batches that are left for each slot, so that all slots end at about the same time. */
const batchesPerSlot = 4

/** The number of cells in the next batch of a run. */
interface BatchSize {
  /** Episodes that workers play at once. */
  slots: number
  next(): number
  /** Cells were put into the queue. */
  taken(cells: number): void
  /** A job was played in this time. */
  played(cells: number, milliseconds: number): void
}

/**
 * Sizes batches by the time that episodes take.
 * @param unit cells of the smallest batch; others have a multiple, so that they are of whole tasks too
 * @param wanted cells to play
 */
export function createBatchSize(unit: number, wanted: number): BatchSize {
  let left = wanted
  let episodeMs: number | undefined
  return {
    slots: 0,
    next() {
      if (episodeMs === undefined || this.slots === 0) return unit
      const cells = Math.min(jobMs / episodeMs, left / (batchesPerSlot * this.slots), maxUnits * unit)
      return Math.max(1, Math.floor(cells / unit)) * unit
    },
    taken(cells) {
      left -= cells
    },
    played(cells, milliseconds) {
      const each = milliseconds / cells
      episodeMs = episodeMs === undefined ? each : (episodeMs + each) / 2
    },
  }
}

import { readRun } from './read-run.js'

/** Trajectories that are read at once. */
const batch = 256

/**
 * Checks that every line of a run can be read, and that each row has its trajectory with all its prompts. Values that
 * were changed by hand and still fit are not noticed. What is wrong (findings), and what is only worth knowing
 * (remarks), are sentences.
 * @throws ShaketableError `store` if the folder holds no run, its plan is damaged, or a file cannot be read
 */
export function checkRun(folder: string) {
  const run = readRun(folder)
  const missing: string[] = []
  let keys: string[] = []
  const look = (): void => {
    const found = run.trajectories(keys)
    missing.push(...keys.filter((key) => !found.has(key)))
    keys = []
  }
  for (const { key } of run.rows) if (keys.push(key) === batch) look()
  look()
  const lost = missing.map((key) => `outcomes.jsonl: the episode ${key} has no trajectory that can be read.`)
  return {
    findings: [...run.notes, ...run.remarks, ...lost],
    remarks: run.writing ? ['The run is being written; what it has so far is checked.'] : [],
  }
}

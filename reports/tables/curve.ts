import { defineTableReport } from './define-report.js'
import { checkpointTables, trendTables } from './parts/checkpoints.js'
import { doseTables } from './parts/doses.js'

/** Rates over the checkpoints of a training, and over the intensity of a family. */
export default defineTableReport({
  name: 'curve',
  summary:
    'success and robustness over the checkpoints of a training, and over the intensity of a family (slope, area)',
  source: 'Confidence set of the best: Hsu 1984; Hansen, Lunde and Nason 2011, The Model Confidence Set',
  tables: (aggregate) => [...checkpointTables(aggregate), ...trendTables(aggregate), ...doseTables(aggregate)],
})

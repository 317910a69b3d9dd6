import { defineTableReport } from './define-report.js'
import { checkpointTables, trendTables } from './parts/checkpoints.js'
import { doseTables, reliabilityTables } from './parts/doses.js'

/** Rates over the checkpoints of a training, over the intensity of a family, and over intensity and tries. */
export default defineTableReport({
  name: 'curve',
  summary:
    'success and robustness over the checkpoints of a training, and over the intensity of a family (slope, area, reliability surface)',
  source:
    'Confidence set of the best: Hsu 1984; Hansen, Lunde and Nason 2011, The Model Confidence Set. Reliability surface: ReliabilityBench (arXiv 2601.06112)',
  tables: (aggregate) => [
    ...checkpointTables(aggregate),
    ...trendTables(aggregate),
    ...doseTables(aggregate),
    ...reliabilityTables(aggregate),
  ],
})

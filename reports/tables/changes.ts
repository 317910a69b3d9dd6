import { defineTableReport } from './define-report.js'
import { conditionTables } from './parts/conditions.js'
import { drawTables } from './parts/families.js'
import { familyTables } from './parts/families.js'
import { partTables } from './parts/families.js'
import { primaryTables } from './parts/primary.js'
import { variantTables } from './parts/variants.js'

/**
 * What changed, in one long table by what is compared: the primary endpoint, families, parts of the decision process,
 * single conditions, the draws of a family, and variants of a model.
 */
export default defineTableReport({
  name: 'changes',
  summary:
    'paired changes with intervals and tests: by primary endpoint, family, part, condition (with flips), draws, and variant of a model',
  source:
    'Paired differences with the task as the cluster: Miller 2024 (arXiv 2411.00640). One primary endpoint: ICH E9 (1998), section 2.2.2. ' +
    'Drop rate: PromptBench (arXiv 2306.04528). Flips: McNemar 1947; tau-bench (arXiv 2406.12045). Worst draw: HELM (arXiv 2211.09110). ' +
    "Spread over draws: Searle, Casella and McCulloch 1992, chapter 4; Hedges and Olkin 1985, chapter 9. Variants: AgentRefine's table 2",
  tables: (aggregate, detail) => [
    ...primaryTables(aggregate),
    ...familyTables(aggregate),
    ...partTables(aggregate),
    ...conditionTables(aggregate, detail),
    ...drawTables(aggregate),
    ...variantTables(aggregate),
  ],
  isSummary: ({ by }) => by === 'primary' || by === 'family' || by === 'part',
})

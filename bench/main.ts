import { cpus } from 'node:os'
import { aggregateRuns } from './aggregate.js'
import { babyai } from './babyai.js'
import { bestSets } from './best-set.js'
import { data } from './data.js'
import { gateLevel } from './gate-level.js'
import { estimands } from './estimands.js'
import { simulateFigures } from './figures.js'
import { games } from './games.js'
import { hostile } from './hostile.js'
import { hotpotqa } from './hotpotqa.js'
import { householdEngine } from './household-engine.js'
import { queue } from './queue.js'
import { relianceIntervals } from './interface-reliance.js'
import { intervalsOfRates } from './intervals-of-rates.js'
import { besideJericho } from './jericho-package.js'
import { jericho } from './jericho.js'
import { lens } from './lens.js'
import { live } from './live.js'
import { pairing } from './pairing.js'
import { simulateUnchanged } from './pass-unchanged.js'
import { spreadOverDraws } from './spread-of-draws.js'
import { scienceworld } from './scienceworld.js'
import { statistics } from './statistics.js'
import { zMachine } from './z-machine.js'

/** `npm run bench`: measures the claims of docs and notes, and prints the machine. */
console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}`,
)
await householdEngine()
babyai()
games()
hotpotqa()
zMachine()
besideJericho()
jericho()
await lens()
statistics()
gateLevel()
simulateUnchanged()
intervalsOfRates()
relianceIntervals()
bestSets()
estimands()
spreadOverDraws()
simulateFigures()
pairing()
aggregateRuns()
await data()
await scienceworld()
await live()
await queue()
await hostile()

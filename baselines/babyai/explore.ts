import { outlookOn } from './chart.js'
import type { Choice, Scene, Ways } from './scene.js'

/** Cells that can be seen at once at best, and what is to be hoped for behind a locked door. */
const mostSeen = 49
const hopeBehindLock = 22
const farthest = 16

/** Goes where most new cells can be seen for the fewest actions; a locked door is one of these places where its key is known. */
export function explore(scene: Scene, ways: Ways): readonly Choice[] {
  const found = search(scene, ways)
  if (found.length > 0) return found
  // Where nothing new is to be seen the map is wrong somewhere, so what was seen longest ago is looked at again.
  const { chart } = scene.trip
  for (const kept of [8, 3, 1]) {
    const outlook = outlookOn({ ...chart, views: chart.views.slice(-kept) })
    const again = search({ ...scene, outlook }, ways)
    if (again.length > 0) return again
  }
  return []
}

function search(scene: Scene, ways: Ways): readonly Choice[] {
  const { trip, outlook, stops } = scene
  const ranked = new Map<string, Choice>()
  let best = 0
  const offer = (choice: Choice, worth: number): void => {
    const { verb, name = '' } = choice.intents[0]!
    const key = `${verb} ${name}`
    const score = Math.log(worth) * sharpness
    best = Math.max(best, worth)
    if ((ranked.get(key)?.score ?? -Infinity) < score) ranked.set(key, { ...choice, score })
  }
  for (const stop of stops) {
    const { pose, cost } = stop
    if (cost > farthest || best >= mostSeen / (cost + patience)) break
    let gain = 0
    for (const cell of outlook.from(pose)) if (!outlook.isSeen(cell)) gain += outlook.isWall(cell) ? 0.5 : 1
    if (gain > 0) offer(ways.follow(scene, stop), gain / (cost + patience))
  }
  for (const { cell, kind } of trip.chart.things.values()) {
    if (kind.type !== 'door' || kind.state !== 'locked') continue
    for (const choice of ways.fetchKey(scene, cell, kind.colour)) {
      offer(choice, hopeBehindLock / (5 - choice.score / 0.3 + patience))
    }
  }
  return [...ranked.values()]
}

const patience = 1.5
const sharpness = 2

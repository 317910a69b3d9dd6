import { parentPort, workerData } from 'node:worker_threads'
import type { ShardStart } from './shard.js'
import { createShard } from './shard.js'

/** What the second thread is asked: to compute a gradient, or to update its part at a learning rate. */
export type ShardOrder = { readonly rate: number } | 'compute'

const shard = createShard(workerData as ShardStart)
parentPort!.on('message', (order: ShardOrder) => {
  parentPort!.postMessage(order === 'compute' ? shard.compute() : (shard.update(order.rate), undefined))
})

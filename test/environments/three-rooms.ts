import { readFileSync } from 'node:fs'
import ts from 'typescript'
import * as shaketable from '../../src/index.js'
import { ownPerturbation } from '../own-perturbation.js'

const page = readFileSync(new URL('../../docs/environments.md', import.meta.url), 'utf8')

/** The environment shown in docs/environments.md. */
const threeRoomsSource = /^```ts [^\n]*\n(.*?)^```/ms.exec(page)![1]!

const script = ts
  .transpile(threeRoomsSource, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext })
  .replace(/^import \{ (.*) \} from 'shaketable';?$/m, 'const { $1 } = shaketable')
  .replace('export default', 'return')

export const threeRooms = new Function('shaketable', script)(shaketable) as shaketable.EnvironmentKind

/** A rewording and a respelling made for it. */
export const roomPerturbations = [
  ownPerturbation('rooms-words', () =>
    shaketable.rewordActions({ 'go to {room}': 'enter {room}', 'take {thing}': 'grab the {thing}' }),
  ),
  ownPerturbation('rooms-names', () => shaketable.renameItems((name) => name.toUpperCase())),
]

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The stories of our own that the interpreter is compared on, their sources beside them. */
export const storyFolder = join(
  dirname(createRequire(import.meta.url).resolve('shaketable/package.json')),
  'test/fixtures/jericho',
)

export const versions = [3, 4, 5, 8] as const
export type Version = (typeof versions)[number]

export function story(name: string, version: Version): Uint8Array {
  return readFileSync(join(storyFolder, `${name}.z${version}`))
}

/** Commands that the story `rooms` knows. */
export const roomsCommands: readonly string[] = [
  ...[
    'look',
    'take the coat',
    'take ticket',
    'n',
    'get kettle',
    'put ticket in kettle',
    'undo',
    'i',
    'roll',
    'w',
    'roll',
  ],
  ...[
    'take gnome',
    'drop coat',
    'put gnome into coat',
    'save',
    'put coat into gnome',
    'take stand',
    'e',
    's',
    'take bread',
  ],
  ...['restore', 'look', '', 'frobnicate', 'put kettle in barrel', 'e', 'drop bread', 'w', 'take coat', 'z'],
]

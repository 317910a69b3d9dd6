import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a plan, a row and a data filter are: types and little more, for every folder that may import core. */
const definitions = ['src/run/plan.ts', 'src/results/episode-row.ts', 'src/training/data-filter.ts']

/** The folders of src, or others, from which each may import; every file may import packages and its own folder. */
const folders: Readonly<Record<string, string>> = {
  'src/run/plan.ts': 'core',
  'src/results/episode-row.ts': 'core',
  'src/training/data-filter.ts': 'core',
  'src/core': '',
  'src/statistics': '',
  'src/tables': 'statistics',
  'src/define': 'core files',
  'src/play': 'core models',
  'src/define.ts': 'core define agents play',
  'src/index.ts': 'define.ts agents laws',
  'src/library.ts': 'core define environments agents models run',
  'src/testing.ts': 'core laws run',
  'src/environments': 'core define files',
  'src/agents': 'core files models',
  'src/files': 'core',
  'src/models': 'core files',
  'src/training': 'core define play models statistics tables files environments agents',
  'src/laws': 'core define files',
  'src/proxy': 'core define environments agents models files',
  perturbations: 'define.ts files',
  'baselines/audit.ts': 'define.ts results statistics tables',
  baselines: 'define.ts files',
  'src/results/compare': 'tables core results statistics',
  'src/results/gate': 'tables core statistics files results results/compare',
  'src/results': 'define.ts statistics tables',
  reports: 'define.ts results statistics tables training files',
  'src/run/queue': 'core files models run',
  'src/run':
    'define play training core statistics environments agents models laws files tables index.ts testing.ts perturbations baselines reports',
  'src/cli':
    'define training results/compare results results/gate core statistics environments agents models laws proxy files run run/queue tables index.ts perturbations baselines reports',
}

const outside = ['perturbations', 'baselines', 'reports']
const rooms = Object.fromEntries(
  Object.entries(folders).map(([name, from]) => [
    name,
    from.split(' ').map((one) => (outside.includes(one) ? one : `src/${one}`)),
  ]),
)

/** What the package's own names stand for. */
const doors: Record<string, string> = {
  shaketable: 'src/index.ts',
  'shaketable/run': 'src/library.ts',
  'shaketable/statistics': 'src/statistics/index.ts',
  'shaketable/testing': 'src/testing.ts',
}

const files = ['src', 'perturbations', 'baselines', 'reports'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g)].map(
    (match) => match[1] ?? match[2]!,
  )
}

/** The files that each file imports. */
const imported = new Map(
  files.map((file) => [
    file,
    importsOf(file).flatMap((name) => {
      if (doors[name] !== undefined) return doors[name]
      if (!name.startsWith('.')) return []
      return relative(root, normalize(join(root, dirname(file), name))).replace(/\.js$/, '.ts')
    }),
  ]),
)

function roomOf(path: string): string {
  const room = Object.keys(rooms).find((name) => path === name || path.startsWith(`${name}/`))
  return room ?? path
}

describe('the folders of src', () => {
  it('contain every file in a known folder', () => {
    expect(files.filter((file) => rooms[roomOf(file)] === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(20)
  })

  it('import in one direction only', () => {
    const wrong = files.flatMap((file) => {
      const allowed = rooms[roomOf(file)] ?? []
      return imported
        .get(file)!
        .filter((path) => roomOf(path) !== roomOf(file) && !allowed.includes(roomOf(path)))
        .filter((path) => !definitions.includes(path) || !allowed.includes('src/core'))
        .map((path) => `${file} imports ${path}`)
    })
    expect(wrong).toEqual([])
  })

  it('contain no import cycles', () => {
    let [left, count] = [files, 0]
    while (left.length !== count) {
      count = left.length
      const others = new Set(left)
      left = left.filter((file) => imported.get(file)!.some((path) => others.has(path)))
    }
    expect(left).toEqual([])
  })
})

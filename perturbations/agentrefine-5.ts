import { type DropReason, type FilterScene, type TrainingRow, defineDataFilter } from '../src/define.js'
import * as z from 'zod'
import { packagedData } from '../src/files/packaged.js'
import { type Word, createOverlapFinder, createPhraseFinder, readWords } from './in-domain/find.js'
import { type InDomainEnvironment, inDomainEnvironments, isFileOf, isIdOf, labelOf } from './in-domain/names.js'

/** The phrases of each environment: a decisive one is sufficient, several of the suggestive ones are needed. */
const phrasesOf = packagedData(
  'perturbations/in-domain/phrases.yaml',
  z.record(z.string(), z.strictObject({ decisive: z.array(z.string()), suggestive: z.array(z.string()) })),
)

/** How many different phrases make a fingerprint, and how many different word sequences make an overlap. */
const minMatches = 3

/** In characters. No phrase or word sequence to find is longer than the overlap. */
const pieceLength = 200_000
const pieceOverlap = 1000

/** AgentRefine's fifth perturbation: removes in-domain rows from the training data before the model is tuned. */
export default defineDataFilter({
  name: 'agentrefine-5',
  summary: 'training data without the rows of the evaluation environments',
  source:
    'AgentRefine (ICLR 2025), perturbation 5: about 5350 of 14485 rows of AgentGym and 672 of 34440 of Agent-FLAN (its public review); the rules are of this testbed',
  rules: [
    { name: 'id', summary: 'the id names the environment' },
    { name: 'file', summary: 'the file, or a label such as split or game_file, names the environment' },
    {
      name: 'fingerprint',
      summary: `a sentence that only it says, or ${String(minMatches)} different phrases that tell`,
    },
    { name: 'overlap', summary: `${String(minMatches)} different runs of 8 words that its evaluation tasks have too` },
  ],
  environments: inDomainEnvironments,
  open: (scene) => {
    const environments = inDomainEnvironments.filter(({ name }) => scene.environments.includes(name))
    const readContent = createContentRule(environments, scene)
    return (row, place) => [
      ...environments.flatMap((environment): DropReason[] => {
        const label = labelOf(environment, row)
        const origin = isFileOf(environment, place) ? place.file : label
        return [
          ...(row.id !== undefined && isIdOf(environment, row.id) ? [because('id', environment, row.id)] : []),
          ...(origin !== undefined ? [because('file', environment, origin)] : []),
        ]
      }),
      ...readContent(row),
    ]
  },
})

function because(rule: string, { name }: { readonly name: string }, evidence: string): DropReason {
  return { rule, environment: name, evidence }
}

/** The rules on the text of a row, which also apply to rewritten rows. */
function createContentRule(
  environments: readonly InDomainEnvironment[],
  scene: FilterScene,
): (row: TrainingRow) => readonly DropReason[] {
  const findPhrases = createPhraseFinder(
    environments.flatMap(({ name }) =>
      (['decisive', 'suggestive'] as const).flatMap((kind) =>
        phrasesOf()[name]![kind].map((phrase) => ({ phrase, of: { name, isDecisive: kind === 'decisive' } })),
      ),
    ),
  )
  const findOverlaps = createOverlapFinder(scene.evaluation)
  return ({ turns }) => {
    const decisive = new Map<string, string>()
    const suggestive = new Map<string, Set<string>>()
    const overlaps = new Map<string, Map<string, string>>()
    for (const text of turns.flatMap(piecesOf)) {
      const words = readWords(text)
      for (const { of, ...place } of findPhrases(words)) {
        if (decisive.has(of.name)) continue
        const quoted = quote(text, words, place)
        const different = suggestive.get(of.name) ?? new Set()
        suggestive.set(of.name, different)
        if (of.isDecisive) decisive.set(of.name, quoted)
        else if (different.size < minMatches) different.add(quoted.toLowerCase())
      }
      for (const { environment, key, ...place } of findOverlaps(words)) {
        const overlap = overlaps.get(environment) ?? new Map<string, string>()
        overlaps.set(environment, overlap)
        if (overlap.size < minMatches && !overlap.has(key)) overlap.set(key, quote(text, words, place))
      }
    }
    return environments.flatMap((environment): DropReason[] => {
      const sentence = decisive.get(environment.name)
      const phrases = [...(suggestive.get(environment.name) ?? [])]
      const runs = [...(overlaps.get(environment.name)?.values() ?? [])]
      const fingerprint = sentence ?? (phrases.length >= minMatches ? phrases.join(' … ') : undefined)
      return [
        ...(fingerprint !== undefined ? [because('fingerprint', environment, fingerprint)] : []),
        ...(runs.length >= minMatches ? [because('overlap', environment, runs[0]!)] : []),
      ]
    })
  }
}

/** Splits long texts into overlapping pieces, so that memory is bounded. */
function piecesOf({ text }: { readonly text: string }): string[] {
  if (text.length <= pieceLength) return [text]
  const count = Math.ceil(text.length / pieceLength)
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength + pieceOverlap),
  )
}

function quote(text: string, words: readonly Word[], place: { readonly from: number; readonly until: number }): string {
  return text.slice(words[place.from]!.from, words[place.until - 1]!.until)
}

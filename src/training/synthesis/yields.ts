import type { StageName, WorkFolder } from './work-folder.js'

/** Numbers of one stage. */
interface StageYield {
  readonly stage: 'scripts' | 'trajectories'
  readonly requests: number
  readonly tokens: number
  /** Made by the first request, by the second, and so on. */
  readonly made: readonly number[]
  readonly given: number
  /** Refusals by rule, most frequent first: of all replies, and as the last of an item that was given up. */
  readonly refused: readonly { readonly rule: string; readonly replies: number; readonly last: number }[]
}

/** The numbers of all that a folder holds. */
export function yieldsOf(work: WorkFolder): readonly StageYield[] {
  return [
    yieldOf(work, 'scripts', 'scripts', 'rejected-scripts'),
    yieldOf(work, 'trajectories', 'trajectories', 'rejected-trajectories'),
  ]
}

function yieldOf(work: WorkFolder, stage: StageYield['stage'], kept: StageName, rejected: StageName): StageYield {
  const rules = new Map<string, { replies: number; last: number }>()
  const made: number[] = []
  let [requests, tokens, given] = [0, 0, 0]
  for (const name of [kept, rejected]) {
    for (const row of work.rows(name).values()) {
      requests += row.requests
      tokens += row.promptTokens + row.completionTokens
      for (const [place, { rule }] of row.refused.entries()) {
        const counts = rules.get(rule) ?? { replies: 0, last: 0 }
        rules.set(rule, counts)
        counts.replies++
        if (name === rejected && place === row.refused.length - 1) counts.last++
      }
      if (name === rejected) given++
      else made[row.refused.length] = (made[row.refused.length] ?? 0) + 1
    }
  }
  const refused = [...rules]
    .map(([rule, counts]) => ({ rule, ...counts }))
    .sort((one, other) => other.replies - one.replies || (one.rule < other.rule ? -1 : 1))
  return { stage, requests, tokens, made: Array.from(made, (number) => number ?? 0), given, refused }
}

/** The numbers as two tables in Markdown. */
export function describeYields(stages: readonly StageYield[]): string {
  const all = (stage: StageYield): number => stage.made.reduce((sum, number) => sum + number, 0)
  const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)
  const lines = stages.map((stage) => {
    const { made, given, requests, tokens } = stage
    const asked = all(stage) + given
    const cells = [
      stage.stage,
      asked,
      made[0] ?? 0,
      all(stage) - (made[0] ?? 0),
      given,
      share(all(stage), asked),
      requests,
      tokens,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const reasons = stages.flatMap(({ stage, refused }) =>
    refused.map(({ rule, replies, last }) => `| ${stage} | ${rule} | ${String(replies)} | ${String(last)} |`),
  )
  return [
    '| stage | asked for | at the first request | after a repair | given up | yield | requests | tokens |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
    ...(reasons.length === 0
      ? []
      : ['', '| stage | reason | replies refused | given up for it |', '| --- | --- | ---: | ---: |', ...reasons]),
    '',
  ].join('\n')
}

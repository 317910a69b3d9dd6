/** One turn of a training conversation. */
export interface TrainingTurn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** Whether the turn is learned from, where the record says so; without it every turn of the assistant is. */
  readonly loss?: boolean
}

/** One row of a data set for tuning agents, whatever its format. */
export interface TrainingRow {
  /** Its id as the data set spells it: `alfworld_17`. */
  readonly id?: string
  readonly turns: readonly TrainingTurn[]
  /** What else the record says in short strings, by its own keys: `{ game_file: '…', split: 'train' }`. */
  readonly labels?: Readonly<Record<string, string>>
}

import { StoryFault } from './fault.js'

/** The budget of a machine outside a turn, where its memory is only looked at. */
const outsideTurn = 0x3fffffff

/** Counts the work of a machine, and knows which instruction is being executed. All parts of a machine share one. */
export class Meter {
  /** The address of the instruction that is being executed. */
  instruction = 0
  /** The work that is left for this turn; each instruction takes 1. */
  remaining = outsideTurn
  #budget = outsideTurn
  /** Work of this turn beside the instructions. */
  #spent = 0
  #instructions = 0

  /** Instructions executed in all turns that have ended. */
  get instructions(): number {
    return this.#instructions
  }

  beginTurn(budget: number): void {
    this.#budget = budget
    this.remaining = budget
    this.#spent = 0
  }

  endTurn(): void {
    this.#instructions += this.#budget - this.remaining - this.#spent
    this.#budget = outsideTurn
    this.remaining = outsideTurn
  }

  /** Takes work off the budget: characters decoded, table entries visited. */
  spend(units: number): void {
    this.#spent += units
    if ((this.remaining -= units) < 0) this.exhausted()
  }

  exhausted(): never {
    throw new StoryFault(
      `it used up its budget of ${this.#budget.toLocaleString('en')} units of work without asking for input`,
      this.instruction,
      true,
    )
  }

  fault(reason: string, address = this.instruction): never {
    throw new StoryFault(reason, address)
  }
}

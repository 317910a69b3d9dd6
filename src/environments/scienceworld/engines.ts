import type { ShaketableError } from '../../core/errors.js'
import type { Engine } from './engine.js'

/** An episode that needs an engine for itself. */
export interface Tenant {
  /** Sets up the episode in an engine, up to its present state. */
  restore(engine: Engine): Promise<void>
}

interface Slot {
  readonly engine: Engine
  tenant: Tenant | undefined
  isBusy: boolean
  /** When it was last used, in uses of all engines. */
  used: number
}

/**
 * Engines for episodes, one for each that is open, up to a maximum. Beyond it the engine that has waited longest is
 * taken from its episode, which is set up again in another when it goes on: the engine answers equal input with equal
 * output. An episode whose engine fails has failed; the next one gets a new engine.
 */
export class Engines {
  readonly #start: () => Promise<Engine>
  readonly #max: number
  #slots: Slot[] = []
  #starting = 0
  #uses = 0
  #waiting: (() => void)[] = []
  readonly #failed = new WeakMap<Tenant, ShaketableError>()

  constructor(start: () => Promise<Engine>, max: number) {
    this.#start = start
    this.#max = max
  }

  /**
   * Does some work in the engine of an episode. One episode must not call it again before it is done.
   * @throws ShaketableError `environment` where the engine of the episode has failed
   */
  async use<T>(tenant: Tenant, work: (engine: Engine) => Promise<T>): Promise<T> {
    const failed = this.#failed.get(tenant)
    if (failed !== undefined) throw failed
    const slot = await this.#take(tenant)
    slot.used = ++this.#uses
    try {
      if (slot.tenant !== tenant) {
        slot.tenant = undefined
        await tenant.restore(slot.engine)
        slot.tenant = tenant
      }
      return await work(slot.engine)
    } finally {
      slot.isBusy = false
      const { broken } = slot.engine
      if (broken !== undefined) this.#remove(slot, broken)
      this.#wake()
    }
  }

  /** Gives the engine of an episode to others. */
  release(tenant: Tenant): void {
    const slot = this.#slots.find((one) => one.tenant === tenant)
    if (slot !== undefined) slot.tenant = undefined
    this.#wake()
  }

  /** Ends all engines; the next use starts a new one. */
  async close(): Promise<void> {
    const slots = this.#slots
    this.#slots = []
    await Promise.all(slots.map(({ engine }) => engine.close()))
  }

  async #take(tenant: Tenant): Promise<Slot> {
    for (;;) {
      for (const slot of this.#slots.filter(({ engine, isBusy }) => !isBusy && engine.broken !== undefined)) {
        this.#remove(slot, slot.engine.broken!)
      }
      const failed = this.#failed.get(tenant)
      if (failed !== undefined) throw failed
      const idle = this.#slots.filter(({ isBusy }) => !isBusy).sort((one, other) => one.used - other.used)
      const isFull = this.#slots.length + this.#starting >= this.#max
      const slot =
        idle.find((one) => one.tenant === tenant) ??
        idle.find((one) => one.tenant === undefined) ??
        (isFull ? idle[0] : await this.#add())
      if (slot !== undefined) {
        slot.isBusy = true
        return slot
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async #add(): Promise<Slot> {
    this.#starting++
    try {
      const slot: Slot = { engine: await this.#start(), tenant: undefined, isBusy: true, used: 0 }
      this.#slots.push(slot)
      return slot
    } finally {
      this.#starting--
      this.#wake()
    }
  }

  #remove(slot: Slot, broken: ShaketableError): void {
    this.#slots = this.#slots.filter((one) => one !== slot)
    if (slot.tenant !== undefined) this.#failed.set(slot.tenant, broken)
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

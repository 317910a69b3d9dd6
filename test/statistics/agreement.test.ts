import { describe, expect, it } from 'vitest'
import { cohenKappa } from '../../src/statistics/agreement.js'
import { grid } from './_expect.js'

/**
 * AgentRefine, section on the reliability of its judge: rows GPT-4 right and wrong, columns a person's right and wrong.
 */
const paper = grid('47 3 / 9 41')

describe("Cohen's kappa", () => {
  it("gives the paper's 88 % and 0.76", () => {
    const found = cohenKappa(paper)!
    expect(found.items).toBe(100)
    expect(found.agreement).toBeCloseTo(0.88, 12)
    expect(found.byChance).toBeCloseTo(0.5 * 0.56 + 0.5 * 0.44, 12)
    expect(found.kappa).toBeCloseTo(0.76, 12)
  })

  it("gives the figures of Fleiss's textbook for 100 diagnoses of three kinds", () => {
    // Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, table 18.1: 0.676, standard error 0.087.
    const found = cohenKappa(grid('75 1 4 / 5 4 1 / 0 0 10'))!
    expect(found.kappa).toBeCloseTo(0.23 / 0.34, 12)
    expect(found.standardError).toBeCloseTo(0.0877, 3)
  })

  it.each([
    ['no table', []],
    ['a table that is not square', grid('1 2 3 / 4 5 6')],
    ['a number below 0', grid('1 2 / 3 -1')],
    ['NaN', grid('1 2 / 3 NaN')],
  ])('is undefined for %s', (_, counts) => {
    expect(cohenKappa(counts)).toBeUndefined()
  })
})

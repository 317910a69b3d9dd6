/** Something that can be done in a game, as its rules have it. */
export interface Deed {
  readonly name: string
  readonly roles: readonly Role[]
  readonly needs: readonly Atom[]
  readonly adds: readonly Atom[]
  readonly deletes: readonly Atom[]
  /** What people call it. */
  readonly words: readonly string[]
}

/** What takes part in a deed. */
export interface Role {
  readonly name: string
  readonly kind: string
}

/** A predicate, and for each term the number of a role or the key of a name. */
export type Atom = readonly [predicate: string, ...terms: (number | string)[]]

/** How a deed is written down: `hand container` or `from:room`, and atoms such as `holding hand container`. */
export interface Rule {
  readonly roles: string
  readonly needs: string
  readonly adds: string
  /** What ends to hold. */
  readonly ends: string
  readonly words: string
}

/** Reads the rules of a game. */
export function readRules(rules: Readonly<Record<string, Rule>>): readonly Deed[] {
  return Object.entries(rules).map(([name, { roles, needs, adds, ends, words }]) => {
    const parts = roles.split(' ').map((role): Role => {
      const [called = '', kind = called] = role.split(':')
      return { name: called, kind }
    })
    const atoms = (text: string): readonly Atom[] =>
      text === ''
        ? []
        : text.split(', ').map((atom): Atom => {
            const [predicate = '', ...terms] = atom.split(' ')
            return [predicate, ...terms.map((term) => placeOf(term, parts))]
          })
    return { name, roles: parts, needs: atoms(needs), adds: atoms(adds), deletes: atoms(ends), words: words.split(' ') }
  })
}

function placeOf(term: string, roles: readonly Role[]): number | string {
  const place = roles.findIndex(({ name }) => name === term)
  return place === -1 ? term : place
}

/** An atom with names in it. */
export function ground([predicate, ...terms]: Atom, objects: readonly string[]): string {
  return [predicate, ...terms.map((term) => (typeof term === 'number' ? objects[term]! : term))].join(' ')
}

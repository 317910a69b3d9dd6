import type { MaybePromise } from '../../core/after.js'

/** What a search finds: the page of that title, or titles of pages that are similar. */
export type Found =
  | { readonly kind: 'page'; readonly title: string; readonly text: string }
  | { readonly kind: 'similar'; readonly titles: readonly string[] }

/** Where pages come from. `text` of a page has its paragraphs on lines of their own. */
export interface Search {
  /** @throws ShaketableError `environment` where a site does not answer */
  search(entity: string): MaybePromise<Found>
}

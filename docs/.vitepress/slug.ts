/** The anchor of a heading as GitHub makes it, so that a link works there and in the site; repeats get `-1`, `-2`. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

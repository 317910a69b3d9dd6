import type { Random } from '../src/define.js'

const onsets = 'b d f g k l m n p r s t v z bl dr fl gr kl pr sk tr'.split(' ')
const vowels = 'a e i o u'.split(' ')
const codas = 'b d f g k l m n p r s t v x'.split(' ')

/** English words, names and coarse words that the syllables can make. */
const english =
  /^(?:basil|baron|bison|blazer|bogus|boris|bonus|camel|cabin|david|devil|demon|divan|dragon|drivel|dino|facet|felon|final|fiscal|flagon|focus|fatal|gamer|grader|gravel|grazer|humid|kevin|lapel|laser|latex|level|linen|logos|lotus|magic|major|manor|mason|medal|melon|merit|metal|model|moron|motel|mural|naval|nigel|novel|nazis|panel|pagan|panic|pedal|penis|petal|pilot|pixel|prefix|profit|raven|razor|relax|remix|repel|rival|robin|robot|rotor|rural|salad|salon|satin|sedan|seren|serum|seven|sigma|siren|sinus|sofas|solar|sonar|steven|sudan|suffix|tabor|talon|taxes|tenor|timer|titan|token|topaz|total|tragic|travel|triton|tumor|valid|valor|vapor|venom|venus|vigil|vigor|vinyl|vital|vomit|zebra|zenon)$/

/**
 * A maker of words that can be pronounced and mean nothing, as those of clembench's AdventureGame (arXiv 2502.11733):
 * two syllables such as `drofel`. No two begin with the same four letters, and none is a word of `taken`.
 */
export function createPseudoWords(random: Random, taken: ReadonlySet<string>): () => string {
  const begun = new Set([...taken].map((word) => word.slice(0, 4)))
  return () => {
    for (;;) {
      const word = [onsets, vowels, onsets.slice(0, 14), vowels, codas].map((letters) => random.pick(letters)).join('')
      if (english.test(word) || taken.has(word) || begun.has(word.slice(0, 4))) continue
      begun.add(word.slice(0, 4))
      return word
    }
  }
}

/** Sentences that are true of no task and ask for nothing. */
export const neutralSentences: readonly string[] = [
  'Outside, a light rain has begun.',
  'A clock ticks somewhere.',
  'The air smells faintly of coffee.',
  'A car drives past in the distance.',
  'It is a quiet afternoon.',
  'A bird sings for a moment and stops.',
  'The floor creaks a little.',
  'Sunlight moves slowly across the wall.',
  'A door bangs in another building.',
  'Someone laughs far away.',
]

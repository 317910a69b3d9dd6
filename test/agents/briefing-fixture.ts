import type { Briefing } from '../../src/core/environment.js'

const forms = [
  { template: 'go to {recep}', meaning: 'walk to a receptacle' },
  { template: 'take {obj} from {recep}', meaning: 'pick something up' },
]

export const briefing: Briefing = {
  system: 'You are a helpful assistant.',
  instruction: ['Keep house.\nActions:\n', ...forms.flatMap(({ template: form }) => ['- ', { form }, '\n'])],
  forms,
  examples: [
    {
      opening: ['Your task is to: put some book in desk.\nYou see a desk 1, and a shelf 1.'],
      exchanges: [
        { action: 'go to shelf 1', observation: ['On the shelf 1, you see a book 1.'] },
        { action: 'take book 1 from shelf 1', observation: ['You pick up the book 1 from the shelf 1.'] },
      ],
      names: ['desk 1', 'shelf 1', 'book 1'],
    },
  ],
  goal: 'put some pen in bed.',
  help: ['check valid actions', 'inventory'],
}

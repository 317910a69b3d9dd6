/** What a plug-in imports, `shaketable`. What opens, plays, reads and reports is `shaketable/run`. */
export * from './define.js'
export { layBriefing } from './agents/_layout.js'
export { type Law, type LawDefinition, defineLaw } from './laws/law.js'

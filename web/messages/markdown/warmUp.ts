import { parse } from './parse.ts'
import { whenIdle } from './turns.ts'

/** What answers are made of, in the letters that each font has to be asked for; nothing that would load what only some answers need. */
export const SAMPLES = [
  'Aa 永 **Aa 永** *Aa* `Aa 永`\n',
  '## Aa 永\n',
  '### Aa 永\n',
  '#### Aa 永\n',
  '- Aa\n\n1. Aa\n',
  '| Aa 永 | 1 |\n| - | - |\n| Aa 永 | 1 |\n',
  '```\nAa 永\n```\n',
  '[Aa](https://a.b)\n\n> Aa\n',
]

let warm = 0

/** The parser's first use takes a long moment: while a conversation is awaited, nobody misses it, if it is taken in parts. */
export function warmUp(): void {
  const sample = SAMPLES[warm]
  if (sample === undefined) return
  whenIdle(() => {
    warm += 1
    parse(sample)
    warmUp()
  })
}

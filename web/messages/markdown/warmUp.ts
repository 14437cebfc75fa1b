import { parse } from './parse.ts'
import { whenIdle } from './turns.ts'

/** Between them they use all there is. */
const SAMPLES = ['a **b** `c`\n', '# d\n\n- e\n\n1. f\n', '| g |\n| - |\n| h |\n', '$i$ [j](k) *l*\n\n> m\n']

let warm = 0

/** The parser's first use takes a long moment: while the first word is awaited, nobody misses it, if it is taken in parts. */
export function warmUp(): () => void {
  const sample = SAMPLES[warm]
  if (sample === undefined) return () => {}
  let cancel = whenIdle(() => {
    warm += 1
    parse(sample)
    cancel = warmUp()
  })
  return () => cancel()
}

import { COVERS, uncovered } from '#web/messages/markdown/cover.ts'
import { fencesCovered } from '#web/messages/markdown/coverFences.ts'

const FENCE = /(?<=^[ \t>*+\-\d.)]*)(?:`{3,}|~{3,})/
const COVERED = new RegExp(`(?:${COVERS['`']}{3,}|${COVERS['~']}{3,})`)

/** A fence of Markdown that holds fences, made longer than those: here they are told apart, but to other viewers the first that ends one ends all. */
export function withLongerFences(text: string): string {
  const covered = fencesCovered(text, true)
  if (covered === text) return text
  const lines = covered.split('\n')
  let begin: number | null = null
  let longest = 0
  for (const [at, line] of lines.entries()) {
    longest = Math.max(longest, COVERED.exec(line)?.[0].length ?? 0)
    const marks = FENCE.exec(line)?.[0]
    if (marks === undefined) continue
    const isEnd: boolean = begin !== null && longest > 0 && lines[begin]?.match(FENCE)?.[0][0] === marks[0]
    if (!isEnd) {
      if (longest === 0) begin = at
      continue
    }
    for (const end of [begin ?? at, at])
      lines[end] = lines[end]?.replace(FENCE, ([mark = '`']) => mark.repeat(longest + 1)) ?? ''
    begin = null
    longest = 0
  }
  return uncovered(lines.join('\n'))
}

import { intoGroups } from './groups.ts'
import type { Group } from './groups.ts'
import { longData } from './longData.ts'
import { normalised } from './normalised.ts'
import { parseWhole } from './parseWhole.ts'

/** Characters of text whose blocks are kept, so that a message shown again (or just streamed) is not parsed again. */
const KEPT = 400_000

const kept = new Map<string, readonly Group[]>()
let keptLength = 0

/** A text that is complete, parsed at once. */
export function wholeBlocks(text: string): readonly Group[] {
  const known = kept.get(text)
  if (known) return known
  const steps = prepareBlocks(text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same before it is needed, a piece of work a step. */
export function* prepareBlocks(text: string): Generator<undefined, readonly Group[]> {
  const known = kept.get(text)
  if (known) return known
  const data = longData()
  const nodes = yield* parseWhole(data.shortened(normalised(text, true)))
  data.restore(nodes)
  const groups = intoGroups(nodes.map((node, key) => ({ key, node, open: false })))
  keepBlocks(text, groups)
  return groups
}

export function keepBlocks(text: string, groups: readonly Group[]): void {
  if (!kept.has(text)) keptLength += text.length
  kept.set(text, groups)
  for (const oldest of kept.keys()) {
    if (keptLength <= KEPT) return
    kept.delete(oldest)
    keptLength -= oldest.length
  }
}

import type { Turn } from '#web/messages/turn.ts'

/** Turns of a conversation that are drawn together. */
const SIZE = 32

export type Block = { at: number; turns: readonly Turn[] }

/** Those that are shown, cut where the whole conversation is cut: a turn stays in its block whatever is put before it. */
export function blocksOf(all: readonly Turn[], shown: readonly Turn[]): Block[] {
  const blocks: { at: number; turns: Turn[] }[] = []
  let index = 0
  for (const turn of shown) {
    while (index < all.length && all[index] !== turn) index += 1
    const at = Math.floor(index / SIZE)
    const last = blocks.at(-1)
    if (last?.at === at) last.turns.push(turn)
    else blocks.push({ at, turns: [turn] })
  }
  return blocks
}

import type { Outcome } from './simulate.ts'

/**
 * Jain's index of what each had against what would be fair: the max-min division of what was there, by which nobody has
 * more than they wanted, and whoever has less than that has as much as anybody. 1: all have what is fair.
 */
export function fairness({ served_by, wanted_by }: Outcome, capacity: number): number {
  const level = waterLevel([...wanted_by.values()], capacity)
  const ratios = [...wanted_by].map(([user_id, wanted]) => (served_by.get(user_id) ?? 0) / Math.min(wanted, level))
  const sum = ratios.reduce((total, each) => total + each, 0)
  const squares = ratios.reduce((total, each) => total + each * each, 0)
  return squares === 0 ? 1 : (sum * sum) / (ratios.length * squares)
}

/** Up to which everybody may have what they want, so that all is given. */
function waterLevel(wanted: readonly number[], capacity: number): number {
  let left = capacity
  const sorted = wanted.toSorted((one, other) => one - other)
  for (const [index, each] of sorted.entries()) {
    const rest = sorted.length - index
    if (each * rest >= left) return left / rest
    left -= each
  }
  return sorted.at(-1) ?? 0
}

/** Milliseconds after which a unit of low priority is as urgent as the others. */
const MAX_WAIT = 250

/**
 * What waits to be written, first in, first out. Low priority lets the others go first, but not for long: somebody in an upstream's queue may
 * be waiting for the completion of another ask. `now` is milliseconds of a monotonic clock.
 */
export function writeQueue<Unit>(now: () => number = () => performance.now(), longest_wait = MAX_WAIT) {
  const normal: Unit[] = []
  const low: { unit: Unit; since: number }[] = []

  function isOverdue(): boolean {
    const [first] = low
    return first !== undefined && now() - first.since > longest_wait
  }

  return {
    isEmpty: (): boolean => normal.length + low.length === 0,
    join(unit: Unit, lowPriority: boolean): void {
      if (lowPriority) low.push({ unit, since: now() })
      else normal.push(unit)
    },
    next(): Unit | undefined {
      if (normal.length === 0 || isOverdue()) return low.shift()?.unit
      return normal.shift()
    },
  }
}

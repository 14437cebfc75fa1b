const soon: (() => void)[] = []
const later: (() => void)[] = []

/**
 * Runs `work` at the end of this turn of the event loop. Small work for many streams costs less when it is done in a row, and it
 * comes before long work that is going on. `work` must not throw.
 */
export function atEndOfTurn(work: () => void): void {
  schedule(soon, work)
}

/** Runs `work` after the event loop has had a turn; it may take a while. It must not throw either. */
export function afterOthers(work: () => void): void {
  schedule(later, work)
}

function schedule(list: (() => void)[], work: () => void): void {
  if (soon.length + later.length === 0) setImmediate(run)
  list.push(work)
}

function run(): void {
  for (const work of [...soon.splice(0), ...later.splice(0)]) work()
}

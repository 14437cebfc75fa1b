const later: (() => void)[] = []

/** Runs `work` after the event loop has had a turn; it may take a while. It must not throw. */
export function afterOthers(work: () => void): void {
  if (later.length === 0) setImmediate(run)
  later.push(work)
}

function run(): void {
  for (const work of later.splice(0)) work()
}

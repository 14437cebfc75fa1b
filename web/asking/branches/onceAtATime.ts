const underWay = new Set<string>()

/** Null when the same is under way already: a button was pressed twice. */
export async function onceAtATime<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  if (underWay.has(name)) return null
  underWay.add(name)
  try {
    return await work()
  } finally {
    underWay.delete(name)
  }
}

/** Local storage may be full or forbidden; then the page works as if nothing had been kept. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // nothing is lost but the convenience
  }
}

/** The names of all entries; none where storage is forbidden. */
export function storedNames(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

export function readStoredObject(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(name) ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

import { useMemo, useState } from 'react'

/** The rows that are ticked, by their keys; they stay while other pages are looked at. */
export type Selection = {
  keys: ReadonlySet<string>
  select(keys: readonly string[], selected: boolean): void
  clear(): void
}

export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      keys,
      select: (changed, selected) =>
        setKeys(
          before => new Set(selected ? [...before, ...changed] : [...before].filter(key => !changed.includes(key))),
        ),
      clear: () => setKeys(new Set()),
    }),
    [keys],
  )
}

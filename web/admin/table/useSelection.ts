import { useMemo, useState } from 'react'

/** The keys of the ticked rows, kept across pages. */
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

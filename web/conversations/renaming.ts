import { create } from 'zustand'

type Where = 'row' | 'header'

/** The title that is being rewritten where it stands, if one is. */
const useRenaming = create<{ renaming: { id: string; where: Where } | null }>(() => ({ renaming: null }))

export function startRenaming(id: string, where: Where): void {
  useRenaming.setState({ renaming: { id, where } })
}

export function stopRenaming(): void {
  useRenaming.setState({ renaming: null })
}

export function useIsRenaming(id: string | null, where: Where): boolean {
  return useRenaming(({ renaming }) => renaming !== null && renaming.id === id && renaming.where === where)
}

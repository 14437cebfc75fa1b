/** Nicknames by user ids. */
export type Names = ReadonlyMap<number, string>
export type NamesOf = (user_ids: readonly number[]) => Promise<Names>

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who does what is done now: somebody signed in, a command of the machine, the program by itself, or signing in, where
 * nobody is signed in yet. Set by the HTTP layer, by commands and by jobs.
 */
export type Actor = {
  kind: 'user' | 'command' | 'system' | 'sign_in'
  id: number | null
  /** Nickname, command or job; null: not known here. */
  name: string | null
  address: string | null
  user_agent: string | null
  request_id: string | null
  /** The row of the audit that is being undone. */
  undoes: number | null
}

const NOBODY = { id: null, name: null, address: null, user_agent: null, request_id: null, undoes: null }
const PROGRAM: Actor = { ...NOBODY, kind: 'system' }

const storage = new AsyncLocalStorage<Actor>()

/** Everything that the work does, also later, is done by this one. */
export function runAs<T>(actor: Pick<Actor, 'kind'> & Partial<Actor>, work: () => T): T {
  return storage.run({ ...NOBODY, ...actor }, work)
}

export const currentActor = (): Actor => storage.getStore() ?? PROGRAM

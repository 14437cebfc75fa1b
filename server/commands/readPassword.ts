import type { Terminal } from './command.ts'

/** A flag, and the password on stdin: everybody on the machine can read arguments. */
export const PASSWORD_FLAG = { 'password-stdin': { type: 'boolean' } } as const

/** The password on stdin; null when one is to be generated. */
export async function readPassword(flags: Record<string, unknown>, { readLine }: Terminal): Promise<string | null> {
  return flags['password-stdin'] === true ? readLine() : null
}

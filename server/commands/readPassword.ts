import type { Terminal } from './command.ts'

/** Never an argument: everybody on the machine can read those. */
export const PASSWORD_FLAG = { 'password-stdin': { type: 'boolean' } } as const

/** The password on the standard input; null when one is to be generated. */
export async function readPassword(flags: Record<string, unknown>, { readLine }: Terminal): Promise<string | null> {
  return flags['password-stdin'] === true ? readLine() : null
}

import type { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { PasswordCost } from '#server/users/passwords.ts'
import { detailOf } from '#server/foundation/http/body.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** Input and output of a command. */
export type Terminal = {
  env: NodeJS.ProcessEnv
  say(line: string): void
  /** Writes to stderr. */
  complain(line: string): void
  /** The first line of stdin. */
  readLine(): Promise<string>
  /** All of stdin; of a terminal, where a person types, the first line. */
  readInput(): Promise<string>
  /** Lower in tests, which need no hashes that hold for years. */
  password_cost?: PasswordCost
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']

/** What a command was called with. */
export type CommandArguments = {
  /** The positional arguments, no fewer and no more than the usage names. */
  words: string[]
  flags: Record<string, unknown>
}

/** One command of `npm run commons -- …`. */
export type Command = {
  name: string
  /** Positional arguments as the help shows them; `<…>` is required, `[…]` may be left out. */
  usage: string
  summary: string
  flags?: Options
  /** JSON that it takes as an argument, for the words of a refusal. */
  example?: string
  /** Resolves with the exit code. */
  run(given: CommandArguments, terminal: Terminal): Promise<number>
}

/** How a command is called. */
export const callOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>): string =>
  `npm run commons -- ${name} ${usage}`.trim()

export const EXIT = { good: 0, failed: 1, misused: 2 } as const

/** Stops a command with one plain line for the caller. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}

/**
 * Validates with the rules of the wire, and refuses unknown fields: clients send whole objects back, but on the command
 * line an unknown field is misspelt.
 */
export function checked<S extends z.ZodMiniType>(schema: S, given: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, given)
  if (!success) throw new Refusal('requestValidationError', {}, { detail: detailOf(error, 'changes') })
  const detail = strangersIn(given, data).map(path => ({
    loc: ['changes', ...path],
    msg: 'unknownField',
    type: 'unrecognized_keys',
  }))
  if (detail.length > 0) throw new Refusal('requestValidationError', {}, { detail })
  return data
}

/** Paths that were given and that the schema dropped. */
function strangersIn(given: unknown, kept: unknown): string[][] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return []
  const fields = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(given).flatMap(([name, value]) => {
    return fields.has(name) ? strangersIn(value, fields.get(name)).map(path => [name, ...path]) : [[name]]
  })
}

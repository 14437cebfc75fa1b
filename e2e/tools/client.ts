import type { Tool } from '#web/keys/tools/tool.ts'

/** What is tried with each client. */
export const OUTCOMES = ['answer', 'tool', 'picture', 'interrupted', 'refused', 'queue', 'error', 'revoked'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What a client is to do. Its shell has the question as `$QUESTION`, and a picture as `$PICTURE`. */
export type Asked = { snippet: string; picture: boolean; tool: boolean }

/** What is typed in the terminal, and what lies in files: those of `~/` in the home of the person, others beside it. */
export type Started = { shell: string; files: Readonly<Record<string, string>> }

/** A program as its registry has it, and how it is asked without anybody at the screen. */
export type Client = {
  /** The one of the page whose snippet connects it. */
  tool: Tool
  registry: 'npm' | 'pip'
  /** With their versions; that of the first is the client’s. */
  packages: readonly [string, ...string[]]
  environment?: Readonly<Record<string, string>>
  start(asked: Asked): Started
  /** The tool by which it lists the folder in which it was started, as it calls it. */
  listing: { name: string; input: object } | null
  /** The tool by which it reads a picture that nobody has attached; null where it is attached. */
  reading?: { name: string; input: object }
  /** What it is not able to do, and why. */
  cannot?: Readonly<Partial<Record<Outcome, string>>>
}

export const versionOf = ({ packages: [first] }: Client): string => first.slice(first.lastIndexOf('@') + 1)

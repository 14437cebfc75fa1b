import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Terminal } from '#server/commands/command.ts'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'

/** A terminal that keeps its output, with the environment of a portal's operator. */
export async function aTerminal(
  storage: DatabaseStorage | null = null,
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const data_dir = storage !== null && 'data_dir' in storage ? storage.data_dir : await aFolder()
  const said: string[] = []
  const complaints: string[] = []
  const terminal: Terminal = {
    env: {
      COMMONS_DATA_DATA_DIR: data_dir,
      ...(storage !== null && 'database_url' in storage && { DATABASE_URL: storage.database_url }),
      ...env,
    },
    say: line => {
      said.push(line)
    },
    complain: line => {
      complaints.push(line)
    },
    readLine: async () => input.split('\n')[0] ?? '',
    readInput: async () => input,
    password_cost: { memory: 64, passes: 1, parallelism: 1 },
  }
  return { terminal, said, complaints, data_dir }
}

/** A folder that is removed after the test. */
export async function aFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

import { useQuery } from '@tanstack/react-query'
import type { KeptAttachment } from '#contract/messages.ts'
import { listFiles, MAX_NAMED, type OwnFile } from '#contract/ownFiles.ts'
import { call } from '#web/foundation/call.ts'

/** What the server says of files, by their ids. */
export type FilesAsked = ReadonlyMap<string, OwnFile>

const NOTHING: FilesAsked = new Map()

/** Files that are gone are among them; those of others are not. */
export async function readFacts(ids: readonly string[]): Promise<FilesAsked> {
  if (ids.length === 0) return NOTHING
  const { files } = await call(listFiles, { query: { ids: ids.join(',') } })
  return new Map(files.map(file => [file.id, file]))
}

/**
 * What is known of the files of a question, which is nothing of another’s; null until the server has said. Read again
 * after files were deleted, as all queries that begin with 'own files'.
 */
export function useFileFacts(attachments: readonly KeptAttachment[]): FilesAsked | null {
  const ids = attachments.map(({ id }) => id).filter(id => UUID.test(id))
  const { data, isLoading } = useQuery({
    queryKey: ['own files', 'facts', ids],
    queryFn: () => readTogether(ids),
    enabled: ids.length > 0,
    staleTime: STALE_AFTER,
    meta: { quiet: true },
  })
  return isLoading ? null : (data ?? NOTHING)
}

const STALE_AFTER = 60_000
/** An imported conversation may name anything. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

type Waiting = { ids: readonly string[]; resolve(facts: FilesAsked): void; reject(error: unknown): void }
let waiting: Waiting[] = []

/** The questions of a thread, which are mounted together, ask together. */
function readTogether(ids: readonly string[]): Promise<FilesAsked> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void readWaiting())
    waiting.push({ ids, resolve, reject })
  })
}

async function readWaiting(): Promise<void> {
  const asked = waiting
  waiting = []
  const ids = [...new Set(asked.flatMap(each => each.ids))]
  const batches = Array.from({ length: Math.ceil(ids.length / MAX_NAMED) }, (_, at) =>
    ids.slice(at * MAX_NAMED, (at + 1) * MAX_NAMED),
  )
  try {
    const found = await Promise.all(batches.map(readFacts))
    const facts = new Map(found.flatMap(each => [...each]))
    for (const { resolve } of asked) resolve(facts)
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

import { listFiles, type OwnFile } from '#contract/ownFiles.ts'
import { call } from '#web/foundation/call.ts'

/** What the server says of files, by their ids. */
export type FilesAsked = ReadonlyMap<string, OwnFile>

/** Files that are gone are among them. */
export async function readFacts(ids: readonly string[]): Promise<FilesAsked> {
  if (ids.length === 0) return new Map()
  const { files } = await call(listFiles, { query: { ids: ids.join(',') } })
  return new Map(files.map(file => [file.id, file]))
}

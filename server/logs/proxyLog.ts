import { constants, type FileHandle, lstat, open } from 'node:fs/promises'
import type { ProxyLogState } from '#contract/logFiles.ts'
import { liesIn } from '#server/foundation/fileSystem.ts'

type OpenedProxyLog = { state: 'ready'; file: FileHandle } | { state: Exclude<ProxyLogState, 'ready'>; file: null }

type ProxyLogFile = { path: string | null; data_dir: string }

/**
 * Opens the log of the reverse proxy; the caller closes it. Each time it must be a plain file outside the data folder - no link, device or
 * pipe - because others than the portal's user may write to its folder.
 */
export async function openProxyLog({ path, data_dir }: ProxyLogFile): Promise<OpenedProxyLog> {
  if (path === null) return closed('notSet')
  try {
    const named = await lstat(path)
    if (!named.isFile()) return closed('notRegular')
    if (liesIn(path, data_dir)) return closed('inDataFolder')
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const opened = await file.stat()
    // Another file may have taken its place between the check and the open.
    if (opened.isFile() && opened.dev === named.dev && opened.ino === named.ino) return { state: 'ready', file }
    await file.close()
    return closed('notRegular')
  } catch (error) {
    return closed(stateOf(error))
  }
}

function closed(state: Exclude<ProxyLogState, 'ready'>): OpenedProxyLog {
  return { state, file: null }
}

function stateOf(error: unknown): Exclude<ProxyLogState, 'ready'> {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
  if (code === 'ELOOP') return 'notRegular'
  return code === 'EACCES' || code === 'EPERM' ? 'notPermitted' : 'unreadable'
}

import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** Bytes that a whole run may need at once. A container has 64 MB there unless it was given more. */
const ROOM = 4 * 1024 ** 3

/**
 * Where tests put databases and data folders: in memory where there is room, since each of thousands of commits waits
 * for a disk otherwise.
 */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ROOM ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

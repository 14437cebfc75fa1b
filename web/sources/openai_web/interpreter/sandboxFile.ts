import { readInterpreterDownload } from '#contract/conversations.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'

const GONE = `errors.${'sandboxFileNotFound' satisfies RefusalKey}`

/** Where a file is that the code interpreter has written. */
export async function sandboxFileAddress(id: string, message_id: string, sandbox_path: string): Promise<string> {
  try {
    return await call(readInterpreterDownload, { params: { id }, query: { message_id, sandbox_path } })
  } catch (error) {
    // Compatibility with old clients makes the server refuse a file that is gone like anything else it does not find.
    const isGone = error instanceof RefusedCall && error.key === 'resourceNotFound'
    throw isGone ? new RefusedCall({ ...error, message: GONE, result: null }) : error
  }
}

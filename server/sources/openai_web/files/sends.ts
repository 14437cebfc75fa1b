import type { Bus } from '#server/foundation/database/bus.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { FileRow } from '#server/files/store.ts'
import type { UploadLimit } from '#server/files/uploadLimit.ts'

const REMOVED = 'file removed'

/** The files whose content is on its way from this process to the storage host of a web account. */
export function openSends(limitUploads: UploadLimit, bus: Pick<Bus, 'publish' | 'subscribe'>) {
  const running = new Set<{ file_id: string; abort: AbortController }>()
  bus.subscribe(REMOVED, id => {
    for (const { file_id, abort } of running) if (file_id === id) abort.abort()
  })
  return {
    /**
     * Counts as an upload of this person until it ends, or the file is removed. A browser that has gone is no sign:
     * where the host takes bytes slowly, nothing is read from the browser meanwhile, so that its end is not seen.
     */
    during: <T>(
      { file_id, uploader_id }: Pick<FileRow, 'file_id' | 'uploader_id'>,
      send: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> =>
      limitUploads(uploader_id, async () => {
        const one = { file_id, abort: new AbortController() }
        const { signal } = one.abort
        running.add(one)
        try {
          return await send(signal)
        } catch (cause) {
          throw signal.aborted ? new Refusal('resourceNotFound', {}, { cause }) : cause
        } finally {
          running.delete(one)
        }
      }),

    /** Ends the sending of a file, whichever process does it. */
    stop: (id: string): void => bus.publish(REMOVED, id),
  }
}
export type Sends = ReturnType<typeof openSends>

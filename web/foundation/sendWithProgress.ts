import type { Send } from './call.ts'

/**
 * Sends like fetch, and reports the progress of the upload as a share from 0 to 1, which fetch cannot. Gives up after
 * `longest_pause` milliseconds without progress or answer; by default it waits for as long as the server needs.
 */
export function sendWithProgress(onProgress: (share: number) => void, longest_pause: number | null = null): Send {
  return (address, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      const watch = pauseWatch(longest_pause, () => {
        reject(new TypeError('no answer'))
        request.abort()
      })
      const leave = () => {
        watch.end()
        signal?.removeEventListener('abort', abort)
      }
      request.open(method, address)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        watch.begin()
        onProgress(total === 0 ? 1 : loaded / total)
      })
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText || null, { status: request.status })),
      )
      request.addEventListener('error', () => reject(new TypeError('no answer')))
      request.addEventListener('abort', () => reject(signal?.reason))
      request.addEventListener('loadend', leave)
      if (signal?.aborted) reject(signal.reason)
      else {
        signal?.addEventListener('abort', abort)
        watch.begin()
        request.send(body)
      }
    })
}

/** Calls `onEnd` when `begin` has not been called for `longest` milliseconds; never when that is null. */
function pauseWatch(longest: number | null, onEnd: () => void): { begin(): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => clearTimeout(timer)
  const begin = () => {
    end()
    if (longest !== null) timer = setTimeout(onEnd, longest)
  }
  return { begin, end }
}

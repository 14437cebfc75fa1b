import type { Send } from './call.ts'

/** Sends like fetch, and reports the progress of the upload as a share from 0 to 1, which fetch cannot. */
export function sendTellingProgress(onProgress: (share: number) => void): Send {
  return (address, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      const leave = () => signal?.removeEventListener('abort', abort)
      request.open(method, address)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText || null, { status: request.status })),
      )
      request.addEventListener('error', () => reject(new TypeError('no answer')))
      request.addEventListener('abort', () => reject(signal?.reason))
      request.addEventListener('loadend', leave)
      if (signal?.aborted) reject(signal.reason)
      else {
        signal?.addEventListener('abort', abort)
        request.send(body)
      }
    })
}

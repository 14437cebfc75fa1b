import type { ServerResponse } from 'node:http'
import type { Journal, JournalEntry } from '../journal.ts'
import type { Pace, Progress } from '../pace.ts'
import type { Script } from './script.ts'

type Writing = { response: ServerResponse; entry: JournalEntry; journal: Journal; pace: Pace; ownRate: number | undefined }

/** Writes a script at the common pace, waits when the socket is full, and leaves at once when the client does. */
export function writeScript(script: Script, { response, entry, journal, pace, ownRate }: Writing) {
  let index = 0
  let held: Uint8Array = Buffer.alloc(0)

  function put(text: string): boolean {
    if (!script.split) return response.write(text)
    const bytes = Buffer.concat([held, Buffer.from(text)])
    const border = splitPoint(bytes)
    held = bytes.subarray(border)
    return response.write(bytes.subarray(0, border))
  }

  function end(): Progress {
    if (script.ending === 'cut') {
      journal.end(entry, 'fault')
      // What was written before must still arrive, so the socket is broken off only after it has taken it.
      response.write('', () => response.destroy())
    } else if (script.ending === 'complete') {
      response.write(held)
      response.end(script.closing, () => journal.end(entry, 'complete'))
    }
    return 'ended'
  }

  function send(tokens: number): Progress {
    let wire = ''
    let text = ''
    const upto = Math.min(index + (script.split ? 1 : tokens), script.count)
    for (; index < upto; index += 1) {
      const token = script.token(index)
      text += token
      wire += script.frame(token, index)
    }
    const flows = wire === '' || put(wire)
    if (text !== '') journal.sent(entry, text)
    if (index >= script.count) return end()
    return flows ? 'more' : 'blocked'
  }

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  if (script.opening !== '') response.write(script.opening)
  const runner = pace.join(send, ownRate)
  response.on('drain', runner.resume)
  response.on('close', runner.leave)
}

/** Inside the last character of several bytes if there is one, else inside the last line end. */
function splitPoint(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at -= 1) {
    const byte = bytes[at]
    if (byte !== undefined && byte >= 0x80 && byte < 0xc0) return at
  }
  return bytes.length - 1
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, sendJson } from './foundation/http.ts'

/** The state of the Arkose endpoint, for tests. */
export type Arkose = {
  /**
   * How it fails; null: it gives tokens. `silent`: its script runs but never answers. `puzzle`: a button has to be
   * pressed first.
   */
  fault: 'script' | 'enforcement' | 'silent' | 'puzzle' | null
  /** The tokens that it has given. */
  tokens: string[]
}

const KEY = '35536E1E-65B4-4D96-9D97-6ADB7EFF8147'
const TEXT = { 'cache-control': 'no-store', 'set-cookie': 'arkose=1; Path=/' }

/**
 * Like the real script: its host is what precedes `/v2/` in its own address. It opens a page of the endpoint in a
 * frame, asks it for a token, and loads the script of the challenge from the address that it is given.
 */
const API = `
const host = document.currentScript.src.split('/v2/')[0]
const name = document.currentScript.dataset.callback
let settings = {}
const enforcement = {
  setConfig(given) { settings = given },
  run() {
    const frame = document.createElement('iframe')
    frame.src = host + '/v2/enforcement.html'
    addEventListener('message', async ({ source, data }) => {
      if (source !== frame.contentWindow || data !== 'ready') return
      const asked = await fetch(host + '/fc/gt2/public_key/${KEY}', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'script' }, body: 'public_key=${KEY}' })
      const { token, challenge_url_cdn, error, puzzle } = await asked.json()
      if (error) return settings.onError({ error })
      if (puzzle) await new Promise(solved => {
        const button = document.createElement('button')
        button.textContent = puzzle
        button.onclick = solved
        document.body.append(button)
        settings.onShow?.()
      })
      const challenge = document.createElement('script')
      challenge.src = challenge_url_cdn
      challenge.onload = () => window.challengeIsLoaded && settings.onCompleted({ token })
      document.head.append(challenge)
    })
    document.body.append(frame)
  },
}
window[name](enforcement)
`

/** /arkose/: a stand-in for the endpoint whose tokens some web services want. */
export async function answerArkose(request: IncomingMessage, response: ServerResponse, path: string, arkose: Arkose) {
  const type = (content_type: string) => response.writeHead(200, { ...TEXT, 'content-type': content_type })
  switch (path) {
    case `/arkose/v2/${KEY}/api.js`:
      if (arkose.fault === 'script') return sendJson(response, 500, { error: 'broken' })
      return void type('text/javascript').end(arkose.fault === 'silent' ? '' : API)
    case '/arkose/v2/enforcement.html':
      return void type('text/html').end(`<!doctype html><script>parent.postMessage('ready', '*')</script>`)
    case `/arkose/fc/gt2/public_key/${KEY}`: {
      if (request.method !== 'POST' || !(await readBody(request))?.includes(KEY))
        return sendJson(response, 400, { error: 'DENIED ACCESS' })
      if (arkose.fault === 'enforcement') return sendJson(response, 200, { error: 'DENIED ACCESS' })
      const token = `${crypto.randomUUID()}|r=eu-west-1|pk=${KEY}`
      arkose.tokens.push(token)
      // A host that the portal's browsers must never contact.
      const puzzle = arkose.fault === 'puzzle' ? { puzzle: 'I am a person' } : {}
      return sendJson(response, 200, {
        ...puzzle,
        token,
        challenge_url_cdn: 'https://cdn.arkose.example/cdn/fc/challenge.js',
      })
    }
    case '/arkose/cdn/fc/challenge.js':
      return void type('application/javascript').end('window.challengeIsLoaded = true')
    default:
      return sendJson(response, 404, { error: `nothing at ${path}` })
  }
}

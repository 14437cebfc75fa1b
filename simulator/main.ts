import { parseArgs } from 'node:util'
import { type Simulator, startSimulator } from './simulator.ts'

const HELP = `A simulated upstream that speaks the OpenAI protocol: no key, no network, no model.

  npm run simulator -- [--port 8001] [--host 127.0.0.1] [--pace 30] [--first-token 0] [--key k] [--ready-json]
                       [--storage-port 8002] [--web-token t]

  --port         0 takes any free port; the variable SIMULATOR_PORT says it as well
  --pace         tokens a second; 0 = as fast as the client reads
  --first-token  milliseconds before the first token
  --key          refuse other keys with 401
  --web-token    the same for the web protocol; without it each token is an account of its own
  --storage-port the storage host of the web protocol; any free port unless it is set
  --ready-json   print one line {"url": ..., "webUrl": ..., "storageUrl": ...} when listening, and nothing else

Inside a question, a line of its own steers the answer to it:

  /simulate fault=429 retry=20 pace=200 tokens=2000 seed=7

  fault=STATUS (retry=SECONDS)  any status from 400 to 599
  fault=slow_first_byte delay=MS | silence | stall after=N | cut after=N | malformed after=N | huge_line | no_done | odd
  pace=N    tokens a second        tokens=N  exact length
  seed=N    another answer         echo      answer with the rest of the question
  stamp     each token is the moment it was sent (for measuring)

The web protocol knows more of them (shape=browsing, transport=websocket, limit=40, ...): see simulator/README.md.

Controls for other processes of this machine:

  POST /simulator/faults   {"kind": "status", "status": 429, "retry_after_seconds": 20, "times": 1}
  POST /simulator/faults   {"call": "list", "kind": "truncated", "keep": 50, "times": "always"}
  POST /simulator/web      {"token": "t", "conversations": 500, "transport": "websocket", "fail": 503}
  POST /simulator/answers  {"text": "the next answer"}
  POST /simulator/pace     {"tokens_per_second": 50}
  GET  /simulator/journal  every request seen, ?after=ID for the later ones
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env['SIMULATOR_PORT'] ?? '8001' },
    host: { type: 'string', default: '127.0.0.1' },
    pace: { type: 'string', default: '30' },
    'first-token': { type: 'string', default: '0' },
    key: { type: 'string' },
    'web-token': { type: 'string' },
    'storage-port': { type: 'string', default: '0' },
    'ready-json': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(HELP)
else {
  await run().catch((error: unknown) => {
    console.error(`The simulator could not start: ${reasonOf(error)}`)
    process.exitCode = 1
  })
}

async function run() {
  const simulator = await startSimulator({
    host: values.host,
    port: numberFrom('--port', values.port),
    tokens_per_second: numberFrom('--pace', values.pace),
    first_token_ms: numberFrom('--first-token', values['first-token']),
    key: values.key,
    web_token: values['web-token'],
    storage_port: numberFrom('--storage-port', values['storage-port']),
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close())
  if (values['ready-json']) return printReady(simulator)
  console.log(`The simulated upstream answers at ${simulator.url}
and the web protocol at ${simulator.webUrl} (its files: ${simulator.storageUrl})

  OPENAI_BASE_URL=${simulator.url} OPENAI_API_KEY=${values.key ?? 'any'} npm start

--help lists the faults it can make. Ctrl+C ends it.`)
}

function printReady({ url, webUrl, storageUrl }: Simulator) {
  console.log(JSON.stringify({ url, webUrl, storageUrl }))
}

/**
 * The reason in words when the address cannot be listened on, which the reader can change; any other error is ours and
 * printed whole.
 */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
    return `${error.message}. Choose another port by --port or SIMULATOR_PORT`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function numberFrom(option: string, text: string): number {
  const number = Number(text)
  if (text !== '' && number >= 0) return number
  console.error(`${option} needs a number of 0 or more, not "${text}"`)
  process.exit(2)
}

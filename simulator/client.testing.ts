import { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

/** A simulator that is closed at the end of the test: `await using simulator = await aSimulator()`. */
export async function aSimulator(options: SimulatorOptions = {}): Promise<Simulator & AsyncDisposable> {
  const simulator = await startSimulator({ tokens_per_second: 0, ...options })
  return { ...simulator, [Symbol.asyncDispose]: simulator.close }
}

/** Sends one completion request as a client would. */
export function post(simulator: Simulator, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${simulator.url}chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init })
}

export function ask(
  simulator: Simulator,
  question: string,
  more: Record<string, unknown> = {},
  init: RequestInit = {},
): Promise<Response> {
  return post(
    simulator,
    { model: 'gpt-4', stream: true, messages: [{ role: 'user', content: question }], ...more },
    init,
  )
}

export type Chunk = {
  id: string
  model: string
  choices: { delta: { role?: string; content?: string | null }; finish_reason: string | null }[]
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null
}

/** The events of a whole stream; a line that is not JSON is given as it is. */
export function eventsIn(stream: string): (Chunk | string)[] {
  return stream
    .split(/\r?\n/)
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice(5).trim())
    .map(data => {
      try {
        return JSON.parse(data)
      } catch {
        return data
      }
    })
}

export function textIn(stream: string): string {
  return eventsIn(stream)
    .map(event => (typeof event === 'string' ? '' : (event.choices[0]?.delta.content ?? '')))
    .join('')
}

export async function answerOf(
  simulator: Simulator,
  question: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  return textIn(await (await ask(simulator, question, more)).text())
}

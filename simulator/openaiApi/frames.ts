import type { Reply } from './reply.ts'

/** The server-sent events of one streamed answer, in the upstream's shape. */
export type Frames = ReturnType<typeof framesOf>

export function framesOf(reply: Reply, about: { id: number; model: string; include_usage: boolean }) {
  const head = JSON.stringify({
    id: `chatcmpl-simulated-${about.id}`,
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1_000),
    model: about.model,
    system_fingerprint: 'fp_simulator',
  }).slice(0, -1)
  const usage_slot = about.include_usage ? ',"usage":null' : ''
  const event = (delta: string, finish_reason: string | null) => {
    const choice = `{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${JSON.stringify(finish_reason)}}`
    return `data: ${head},"choices":[${choice}]${usage_slot}}\n\n`
  }
  const usage = usageOf(reply)

  return {
    /** Any event: of one choice, or with fields beside the choices. */
    delta: event,
    other: (fields: object, choice?: object) =>
      `data: ${head},${JSON.stringify({ choices: choice === undefined ? [] : [choice], ...fields }).slice(1)}\n\n`,
    opening: event('{"role":"assistant","content":"","refusal":null}', null),
    token: (text: string) => event(`{"content":${JSON.stringify(text)}}`, null),
    nullContent: event('{"content":null}', null),
    usageOnly: `data: ${head},"choices":[],"usage":${JSON.stringify(usage)}}\n\n`,
    finish: event('{}', reply.finish_reason),
    done: 'data: [DONE]\n\n',
  }
}

export function usageOf(reply: Reply) {
  return {
    prompt_tokens: reply.prompt_tokens,
    completion_tokens: reply.count,
    total_tokens: reply.prompt_tokens + reply.count,
  }
}

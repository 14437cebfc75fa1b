import { invalid } from '#server/foundation/refusal.ts'
import { isFields } from './notOffered.ts'
import { inputTokens, modelIn, type ToolRequest } from './readRequest.ts'

/** Of one person they are asked at the same upstream as long as that is healthy: vectors of two may differ. */
const CONVERSATION = 'embeddings'

/** Reads a request for vectors of texts. It goes to upstreams of chats, and is never streamed. */
export function readEmbeddingsRequest(body: unknown): ToolRequest {
  if (!isFields(body)) throw invalid(['body'], 'Not a JSON object', 'invalid_type')
  const { input } = body
  const isText = typeof input === 'string' && input !== ''
  if (!isText && !(Array.isArray(input) && input.length > 0))
    throw invalid(['body', 'input'], 'Holds nothing to embed', 'invalid_type')
  return {
    ...{ dialect: 'chat', body, model: modelIn(body), streamed: false, embeddings: true },
    // Nothing is written, and as good as nothing is reserved for it.
    ...{ input_tokens: inputTokens(input), max_output: 1, conversation: CONVERSATION },
  }
}

import type { Fields } from '#server/providers/looseJson.ts'
import type { Random } from '#testing/random.ts'

/** What a random upstream says, and the chunks in which it says so. */
export type RandomStream = {
  thoughts: string
  text: string
  refusal: string
  calls: { id: string; name: string; arguments: string }[]
  finish: string
  usage: { prompt_tokens: number; completion_tokens: number } | null
  chunks: Fields[]
}

const WORDS = ['你好', 'one ', 'two\n', '😀', '"quoted"', '{', ' ']
const FINISHES = ['stop', 'length', 'tool_calls', 'content_filter', 'eos', 'oddly']

/** Streams as upstreams really send them: in the order of chats, which is not that of the other dialects. */
export function randomStream(random: Random): RandomStream {
  const words = (most: number) => Array.from({ length: random.below(most) }, () => random.of(WORDS)).join('')
  const said = {
    thoughts: random.percent(40) ? words(9) : '',
    text: random.percent(70) ? words(9) : '',
    refusal: random.percent(10) ? words(5) : '',
  }
  const calls = Array.from({ length: random.percent(50) ? 1 + random.below(3) : 0 }, (_, at) => ({
    id: `call_${at}`,
    name: `tool_${at}`,
    arguments: random.percent(20) ? '' : JSON.stringify({ words: words(6), nested: { at } }),
  }))
  const thoughtsField = random.of(['reasoning_content', 'reasoning'])
  const isPlain = said.refusal === ''
  const deltas: Fields[] = [
    ...(random.percent(60) ? [{ role: 'assistant', content: '' }] : []),
    ...pieces(random, said.thoughts).map(piece => ({ [thoughtsField]: piece })),
    ...pieces(random, said.text).map(piece => ({ content: piece, ...(isPlain ? { refusal: null } : {}) })),
    ...pieces(random, said.refusal).map(piece => ({ refusal: piece, content: null })),
    ...callDeltas(random, calls),
    ...(random.percent(20) ? [{}] : []),
  ]
  const finish = random.of(FINISHES)
  const usage = random.percent(70) ? { prompt_tokens: 1 + random.below(90), completion_tokens: random.below(90) } : null
  const chunk = (delta: Fields, finish_reason: string | null): Fields => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', usage: null },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const usageChunk = random.of<Fields>([{ choices: [] }, { choices: null }, {}])
  const chunks = [
    ...deltas.map(delta => chunk(delta, null)),
    chunk({}, finish),
    ...(usage === null ? [] : [{ ...usageChunk, usage }]),
  ]
  return { ...said, calls, finish, usage, chunks }
}

/** A text in pieces; empty ones among them. */
function pieces(random: Random, text: string): string[] {
  if (text === '') return []
  if (random.percent(30)) return [text]
  const characters = [...text]
  return [...characters.map(each => each), ...(random.percent(30) ? [''] : [])]
}

function callDeltas(random: Random, calls: RandomStream['calls']): Fields[] {
  const isIndexed = random.percent(70)
  const repeatsId = random.percent(30)
  const isMixed = isIndexed && random.percent(40)
  const all = calls.map((call, index) =>
    [[call.id, call.name, ''], ...pieces(random, call.arguments).map(piece => [call.id, '', piece])].map(
      ([id, name, text], at) => ({
        ...(isIndexed ? { index } : {}),
        ...(at === 0 || repeatsId ? { id } : {}),
        type: 'function',
        function: { ...(name === '' ? {} : { name }), arguments: text },
      }),
    ),
  )
  const mixed: Fields[] = isMixed ? inTurn(random, all) : all.flat()
  return mixed.map(each => ({ tool_calls: [each] }))
}

/** The pieces of several calls in turn, those of each in their order. */
function inTurn(random: Random, lists: readonly Fields[][]): Fields[] {
  const open = lists.map(list => [...list]).filter(list => list.length > 0)
  const mixed: Fields[] = []
  while (open.length > 0) {
    const list = random.of(open)
    mixed.push(list.shift() ?? {})
    if (list.length === 0) open.splice(open.indexOf(list), 1)
  }
  return mixed
}

import { describe, expect, test } from 'vitest'
import { fileOf, ID, node, upstream } from './chatGptExport.testing.ts'
import { batchesOf } from './importBatches.ts'
import { readImport } from './readImport.ts'

describe('the batches of a file', () => {
  test('are of bounded size, with parents before their children, and hold everything once', async () => {
    const long = '长'.repeat(3000)
    const chain = Array.from({ length: 300 }, (_, at) =>
      node(`n${at}`, at === 0 ? null : `n${at - 1}`, [`n${at + 1}`], {
        content: { content_type: 'text', parts: [long] },
      }),
    )
    const { conversations } = await readImport(
      fileOf([upstream(chain), upstream([node('q', null, [], {})], { conversation_id: 'small' })]),
    )
    const batches = [...batchesOf(conversations)]
    for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(220_000)
    expect(
      batches
        .flat()
        .filter(({ index }) => index === 0)
        .flatMap(({ conversation }) => conversation.messages.map(({ id }) => id)),
    ).toEqual(chain.map(({ id }) => id))
    expect(batches.flat().filter(({ index }) => index === 1)).toHaveLength(1)
  })
  test('cut a message that is too large, so that later ones keep their parent', async () => {
    const { conversations } = await readImport(
      fileOf([
        upstream([
          node('q', null, ['a'], { content: { content_type: 'text', parts: ['长'.repeat(500_000)] } }),
          node('a', 'q', [], {}),
        ]),
      ]),
    )
    const [cut, after] = [...batchesOf(conversations)].flat().flatMap(({ conversation }) => conversation.messages)
    expect(JSON.stringify(cut).length).toBeLessThan(300_000)
    expect(after).toMatchObject({ id: 'a', parent: 'q' })
  })
  test('continue a conversation without room as another one, from the last question on, and always advance', async () => {
    const role = (at: number) => (at % 2 === 0 ? 'user' : 'assistant')
    const chain = Array.from({ length: 41 }, (_, at) =>
      node(`n${at}`, at === 0 ? null : `n${at - 1}`, [`n${at + 1}`], { role: role(at) }),
    )
    const { conversations } = await readImport(
      fileOf([upstream(chain), upstream([node('q', null, [], {})], { conversation_id: 'small' })]),
    )
    // A server that has room for eleven messages in each.
    const taken = new Map<string, string[]>()
    const batches = batchesOf(conversations)
    for (let next = batches.next(); !next.done;) {
      const left = next.value.flatMap(({ index, part, from, conversation: { id, messages } }) => {
        const there = taken.get(id) ?? []
        const fitting = messages.slice(0, 11 - there.length)
        taken.set(id, [...there, ...fitting.map(each => each.id)])
        return fitting.length < messages.length ? [{ index, part, from: from + fitting.length }] : []
      })
      next = batches.next(left)
    }
    const ranges = [...taken].map(([id, ids]) => [id, ids[0], ids.at(-1)])
    expect(ranges).toEqual([
      [ID, 'n0', 'n10'],
      ['small', 'q', 'q'],
      [`${ID}#2`, 'n10', 'n20'],
      [`${ID}#3`, 'n20', 'n30'],
      [`${ID}#4`, 'n30', 'n40'],
    ])
  })
})

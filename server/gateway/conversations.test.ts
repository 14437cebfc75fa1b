import { describe, expect, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import { aDatabase, aPostgresql } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { openToolConversations } from './conversations.ts'

const opened = async () => openToolConversations(await openBus(await aDatabase()))

describe('a conversation of a tool', () => {
  test('is known by its key, as it was answered last', async () => {
    const conversations = await opened()
    expect(conversations.find('one')).toBe(null)
    conversations.note('one', 1)
    conversations.note('two', 2)
    conversations.note('one', 3)
    expect([conversations.find('one'), conversations.find('two')]).toEqual([3, 2])
  })
  test('is known to every process', async () => {
    const database = await aPostgresql()
    const buses = [await openBus(database), await openBus(database)] as const
    const [one, other] = [openToolConversations(buses[0]), openToolConversations(buses[1])]
    one.note('one', 1)
    await until(() => expect(other.find('one')).toBe(1))
    other.note('one', 2)
    await until(() => expect(one.find('one')).toBe(2))
    await Promise.all(buses.map(bus => bus.close()))
  })
  test('is forgotten when ten thousand younger ones have come', async () => {
    const conversations = await opened()
    conversations.note('first', 1)
    conversations.note('kept', 1)
    for (let count = 0; count < 9_998; count++) conversations.note(`${count}`, 2)
    conversations.note('kept', 3)
    conversations.note('last', 4)
    expect(conversations.find('first')).toBe(null)
    expect(conversations.find('kept')).toBe(3)
    expect(conversations.find('last')).toBe(4)
  })
})

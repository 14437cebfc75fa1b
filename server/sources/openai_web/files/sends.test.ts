import { expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import { openAgain, untilAborted } from '#server/foundation/jobs/jobs.testing.ts'
import { eachDatabase } from '#testing/database.ts'
import { openSends } from './sends.ts'

eachDatabase((_name, open) => {
  test('the sending of a file ends in whichever process it runs when the file is removed, and of no other file', async () => {
    const opened = await open()
    const unlimited = <T>(_user_id: number, send: () => Promise<T>) => send()
    const bus = await openBus(opened)
    const processes = [bus, opened.url === undefined ? bus : await openBus(await openAgain(opened))]
    onTestFinished(async () => void (await Promise.all(processes.map(each => each.close()))))
    const [here, there] = processes.map(each => openSends(unlimited, each))
    const other = Promise.withResolvers<string>()
    const file = (file_id: string) => ({ file_id, uploader_id: 1 })
    const removed = there!.during(file('a'), untilAborted)
    const kept = there!.during(file('b'), signal => Promise.race([other.promise, untilAborted(signal)]))
    here!.stop('a')
    await expect(removed).rejects.toMatchObject({ key: 'resourceNotFound' })
    other.resolve('sent')
    expect(await kept).toBe('sent')
  })
})

import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { askQuietly, busyWith, hasEnded } from '#testing/quietAsks.ts'
import { until } from '#testing/until.ts'

const TEXT = '/simulate tokens=20'
const [QUIET_PEOPLE, QUIET_EACH] = [5, 20]
const [PEOPLE, EACH] = [3, 8]

eachStorage((_name, storage) => {
  test.each([1, 2])(
    'a hundred asks for when it is quiet delay no other ask by more than one answer (at once: %i)',
    async concurrency => {
      const environment = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: String(concurrency) }
      const portal = await startPortal({ storage: await storage(), environment })
      const { simulator } = portal
      const people = (count: number) => Promise.all(Array.from({ length: count }, () => portal.person()))
      simulator.setPace(1)
      const busy = await busyWith((await people(1))[0] as Person, TEXT)
      for (const person of await people(QUIET_PEOPLE))
        for (let asked = 0; asked < QUIET_EACH; asked++)
          (await askQuietly(person, `quiet ${TEXT}`, { new_title: 'x' })).leave()
      const quietAnswers = () =>
        simulator.journal.filter(entry => JSON.stringify(entry).includes('quiet /simulate')).length
      simulator.setPace(400)
      await busy.until(hasEnded)
      const others = (await people(PEOPLE)).map(async person => {
        for (let asked = 0; asked < EACH; asked++) {
          const chat = await person.chat(question(TEXT, { new_title: 'x' }))
          await chat.until(frame => frame.type === 'queueing' || frame.type === 'waiting')
          const before = quietAnswers()
          await chat.until(frame => frame.type === 'waiting')
          // One may have been on its way.
          expect(quietAnswers() - before).toBeLessThanOrEqual(1)
          expect(await chat.until(hasEnded)).toMatchObject({ outcome: 'finished' })
        }
      })
      await Promise.all(others)
      expect(quietAnswers()).toBeLessThan(QUIET_PEOPLE * QUIET_EACH)
      simulator.setPace(0)
      await until(() => expect(quietAnswers()).toBe(QUIET_PEOPLE * QUIET_EACH))
    },
  )
})

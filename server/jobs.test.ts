import { expect, test } from 'vitest'
import { eachDatabasePlace } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

eachDatabasePlace((_name, place) => {
  test('the jobs of a portal run at its first start', async () => {
    const { app } = await startPortal({ place: await place() })
    const { jobs } = app.services
    await until(async () => {
      const states = await jobs.list()
      expect(states.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['expired sessions', 'old jobs', 'search index', 'unfinished uploads']),
      )
      for (const { every, last_run } of states)
        if (every !== null) expect(last_run).toMatchObject({ outcome: 'finished' })
    })
  })

  test('sessions that have expired are removed, and say how many', async () => {
    const { app, admin, person } = await startPortal({ place: await place() })
    const { jobs, open } = app.services
    const { id } = await person()
    await open.database.updateTable('sessions').set({ expire_time: 1 }).where('user_id', '=', id).execute()
    const { last_run: before } = await stateOf('expired sessions')
    await jobs.start('expired sessions', { started_by: admin.id })
    const { last_run } = await until(async () => {
      const state = await stateOf('expired sessions')
      expect(state.last_run).toMatchObject({ started_by: admin.id })
      return state
    })
    expect(before).toMatchObject({ started_by: null })
    expect(last_run).toMatchObject({ outcome: 'finished', result: { removed: 1 } })
    expect(await open.database.selectFrom('sessions').select('user_id').distinct().execute()).toEqual([
      { user_id: admin.id },
    ])

    function stateOf(name: string) {
      return until(async () => {
        const state = (await jobs.list()).find(job => job.name === name)
        expect(state?.last_run).toBeTruthy()
        return state!
      })
    }
  })
})

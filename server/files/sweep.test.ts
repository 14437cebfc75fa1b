import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { startPortal } from '#testing/portal.ts'
import { servedFiles } from '#testing/servedFiles.ts'
import { until } from '#testing/until.ts'

const HOUR = 3_600_000
const HERE = { openai_web: { file_upload_strategy: 'server_upload_only' } } as const

eachDatabase((_name, open) => {
  describe('looking through the uploads', () => {
    test('removes what has been there for a day without a row, and nothing else', async () => {
      const { stored, sweep, clock, data_dir, download } = await servedFiles(await open(), { settings: HERE })
      const { id } = await stored('ann', 'mine')
      const folder = join(data_dir, 'uploads', '1')
      await writeFile(join(folder, `${crypto.randomUUID()}.dat`), 'left behind')
      for (const name of ['notes.txt', '.nfs0001']) await writeFile(join(folder, name), 'of somebody else')
      await mkdir(join(data_dir, 'uploads', 'mine'))
      clock.time = Date.now() + 23 * HOUR
      expect(await sweep()).toBe(0)
      clock.time = Date.now() + 25 * HOUR
      expect(await sweep()).toBe(1)
      expect((await readdir(folder)).toSorted()).toEqual(['.nfs0001', 'notes.txt', `${id}.dat`].toSorted())
      expect((await download('ann', id)).text).toBe('mine')
    })
    test('removes what was cut short, when nobody can be sending it any more', async () => {
      const opened = await open()
      const { sweep, clock, data_dir } = await servedFiles(opened, { settings: HERE })
      const folder = join(data_dir, 'uploads', '1')
      await mkdir(folder, { recursive: true })
      const start = clock.time
      const unfinished = async (time: number) => {
        const name = `${crypto.randomUUID()}.dat.part`
        await writeFile(join(folder, name), 'half')
        await utimes(join(folder, name), time / 1_000, time / 1_000)
        return name
      }
      await unfinished(start - 30_000)
      const arriving = await unfinished(start + 30_000)
      clock.time = start + 60_000
      // What was sent to another process may still be arriving; the embedded database has one.
      expect(await sweep()).toBe(opened.engine === 'sqlite' ? 1 : 0)
      clock.time = start + 120_000
      await sweep()
      expect(await readdir(folder)).toEqual([arriving])
      clock.time = start + 180_000
      await sweep()
      expect(await readdir(folder)).toEqual([])
    })
    test('finds nothing where nobody has uploaded yet', async () => {
      expect(await (await servedFiles(await open())).sweep()).toBe(0)
    })
  })
})

describe('a start', () => {
  test('looks through the uploads', async () => {
    const data_dir = await emptyFolder()
    const first = await startPortal({ storage: { data_dir } })
    const folder = join(data_dir, 'uploads', String(first.admin.id))
    await first.close()
    await mkdir(folder, { recursive: true })
    const left = join(folder, `${crypto.randomUUID()}.dat`)
    await writeFile(left, 'left behind')
    await writeFile(`${left}.part`, 'cut short')
    await utimes(left, 0, 0)
    await startPortal({ storage: { data_dir } })
    await until(async () => expect(await readdir(folder)).toEqual([]))
  })
})

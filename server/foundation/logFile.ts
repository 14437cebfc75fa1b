import { closeSync, existsSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from './fileSystem.ts'

const FOLDER = 'logs'
const LIMITS = { file_bytes: 20 * 1024 * 1024, files: 5 }
/** Milliseconds until a file that could not be written is tried again. */
const PAUSE = 60_000
/** Milliseconds after which it is looked whether the file still has its name: people delete files to make room. */
const CHECK_EVERY = 10_000
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(\d{1,10})-([A-Za-z0-9-]{1,40})$/
const FILE_NAME = /^(.+)\.(\d{1,9})\.log$/

export const logFolder = (data_dir: string): string => join(data_dir, FOLDER)

/** This machine, as far as it can stand in the name of a file. */
export const machineName = (): string =>
  hostname()
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 40) || 'unknown'

/**
 * What a process calls its log: its start, its process id and its machine. Names of one machine sort by their start.
 */
export function logNameOf(start: Date, process_id: number, machine: string): string {
  return `${start.toISOString().replaceAll(/[-:.]/g, '')}-${process_id}-${machine}`
}

/** Null for what is not the name of a log. */
export function readLogName(name: string): { start: Date; process_id: number; machine: string } | null {
  const [, year, month, day, hour, minute, second, ms, process_id, machine] = NAME.exec(name) ?? []
  const start = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  if (machine === undefined || Number.isNaN(start.getTime())) return null
  return { start, process_id: Number(process_id), machine }
}

/** The files of a log are numbered from 1; the last one is being written. */
export const logFileName = (name: string, part: number): string => `${name}.${part}.log`

export function readLogFileName(file: string): { name: string; part: number } | null {
  const [, name = '', part] = FILE_NAME.exec(file) ?? []
  return readLogName(name) === null ? null : { name, part: Number(part) }
}

type LogFile = {
  name: string
  /** Makes the file if the data folder is there; without it, at the first line after somebody has made the folder. */
  open(): void
  write(line: string): void
  close(): void
}

type Options = {
  data_dir: string
  /** Named at the top of each file. */
  version: string
  /** From now on nothing is written, until the disk takes lines again. */
  onFailure(error: unknown): void
} & Partial<typeof LIMITS>

type OpenFile = { descriptor: number; path: string; bytes: number; checked: number }

/**
 * The log of this process, beside standard output: files in the data folder that only the server's user may read. A
 * file that is full is followed by the next one, and the oldest is removed. Lines are written at once, so that a crash
 * loses none. Whatever the disk does, nothing is thrown.
 */
export function openLogFile({ data_dir, version, onFailure, ...limits }: Options): LogFile {
  const { file_bytes, files } = { ...LIMITS, ...limits }
  const machine = machineName()
  const name = logNameOf(new Date(), process.pid, machine)
  const pathOf = (part: number): string => join(logFolder(data_dir), logFileName(name, part))
  let file: OpenFile | null = null
  let part = 1
  let pausedUntil = -Infinity
  /** A full disk took the beginning of a line only. */
  let isTorn = false
  let hasFailed = false

  function openFile(): OpenFile {
    makeFolder(logFolder(data_dir))
    const path = pathOf(part)
    const descriptor = openSync(path, 'a', 0o600)
    const opened = { descriptor, path, bytes: fstatSync(descriptor).size, checked: performance.now() }
    file = opened
    const began = { level: 'info', time: new Date().toISOString(), version, process: process.pid, machine }
    if (opened.bytes === 0) append(opened, `${JSON.stringify({ ...began, msg: 'the log file begins' })}\n`)
    return opened
  }

  function append(opened: OpenFile, line: string): void {
    const bytes = Buffer.from(isTorn ? `\n${line}` : line)
    for (let at = 0; at < bytes.length;) {
      if (at > 0) isTorn = true
      at += writeSync(opened.descriptor, bytes, at)
    }
    isTorn = false
    opened.bytes += bytes.length
  }

  function close(): void {
    if (file === null) return
    const { descriptor } = file
    file = null
    closeSync(descriptor)
  }

  /** The file that takes so many bytes. */
  function fileFor(bytes: number): OpenFile {
    if (file !== null && performance.now() - file.checked >= CHECK_EVERY) {
      file.checked = performance.now()
      if (!isStillNamed(file)) close()
    }
    if (file !== null && file.bytes + bytes > file_bytes) {
      close()
      part += 1
      const opened = openFile()
      rmSync(pathOf(part - files), { force: true })
      return opened
    }
    return file ?? openFile()
  }

  function attempt(work: () => void): void {
    if (performance.now() < pausedUntil || (file === null && !existsSync(data_dir))) return
    try {
      work()
      hasFailed = false
    } catch (error) {
      pausedUntil = performance.now() + PAUSE
      try {
        close()
      } catch {
        // The disk has said already what is wrong with it.
      }
      if (!hasFailed) onFailure(error)
      hasFailed = true
    }
  }

  return {
    name,
    open: () => attempt(() => void fileFor(0)),
    write: line => attempt(() => append(fileFor(Buffer.byteLength(line)), line)),
    close,
  }
}

function isStillNamed({ descriptor, path }: OpenFile): boolean {
  const named = statSync(path, { throwIfNoEntry: false })
  return named !== undefined && named.ino === fstatSync(descriptor).ino
}

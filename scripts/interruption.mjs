import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Milliseconds between two looks at whether npm is still there. */
const LOOK_AGAIN = 250

/**
 * What asks this process to end, from this call on: a signal, or the end of the npm that started it (its process id). It reaches the child that
 * runs, and keeps another one from being started. A signal between two children would otherwise be lost, and the next one stay.
 */
export function watchInterruption(npm = null) {
  let child = null
  let received = null

  const interrupt = signal => {
    received ??= signal
    // A terminal sends Ctrl-C to the whole group, so the child has it already; a second one would mean "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child?.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  if (npm !== null) whenGone(npm, () => received ?? interrupt('SIGTERM'))

  return {
    /** The exit code of an interrupted process; null as long as nothing has asked it to end. */
    code: () => (received === null ? null : codeOf(received)),
    reaches(started) {
      child = started
      started.on('exit', () => {
        if (child === started) child = null
      })
    },
  }
}

export const codeOf = signal => 128 + constants.signals[signal]

/**
 * npm passes a signal to its shell alone, and a shell such as dash ends without passing it on. Nor does npm listen for signals from its very
 * beginning. In both cases nobody tells this process.
 */
function whenGone(npm, notify) {
  const shell = process.ppid
  const look = () => {
    if (process.ppid === shell && lives(npm)) return
    clearInterval(timer)
    notify()
  }
  const timer = setInterval(look, LOOK_AGAIN).unref()
  look()
}

function lives(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Milliseconds between two checks whether npm still runs. */
const LOOK_AGAIN = 250

/** The process of npm, as its shell names it (package.json). A shell that knows no $PPID, such as that of Windows, gives no number. */
const STARTED_BY = '--started-by='

/** The process id of the npm that has started this, or null; and the other arguments. */
export function startedBy(args) {
  const npm = Number(args.find(arg => arg.startsWith(STARTED_BY))?.slice(STARTED_BY.length))
  return { npm: npm > 0 ? npm : null, others: args.filter(arg => !arg.startsWith(STARTED_BY)) }
}

/**
 * Watches for what asks this process to end, from this call on: a signal, or the end of the npm that started it (its process id). It is
 * passed on to the running child, and keeps another one from being started. A signal between two children would otherwise be lost, and the
 * next one would stay.
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

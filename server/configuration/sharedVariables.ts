import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isTimeZone } from './rules.ts'
import { zoneOfVariable } from './timeZoneVariable.ts'

/** What of a variable counts; null when nothing does. */
type Understood = { text: string | null; warning: string | null }

/**
 * Variables that systems and shells set for themselves, not for us. Whatever they hold, the portal starts, and says what it made of it.
 * The name of our own of the same setting is checked as strictly as every other.
 */
const SHARED: Record<string, (text: string) => Understood> = {
  TZ: timeZone,
  HOST: host,
}

export function understood(name: string, text: string): Understood {
  return SHARED[name]?.(text) ?? { text, warning: null }
}

function timeZone(text: string): Understood {
  if (isTimeZone(text)) return { text, warning: null }
  const found = zoneOfVariable(text)
  const is = `TZ is ${JSON.stringify(text)}`
  return found === null
    ? {
        text: null,
        warning: `${is}, which names no time zone, and is ignored: UTC counts, unless portal.time_zone is set. Name one such as Asia/Shanghai.`,
      }
    : {
        text: found.zone,
        warning: `${is}, which is read as ${found.zone}${found.means === found.zone ? '' : ` (${found.means})`}. Name a zone such as Asia/Shanghai if another is meant.`,
      }
}

/** A name of the machine is never looked up: shells set it, and what it leads to may be open to everybody. */
function host(text: string): Understood {
  if (text === 'localhost' || isOwnAddress(text)) return { text, warning: null }
  return {
    text: null,
    warning:
      `HOST is ${JSON.stringify(text)}, which is no address of this machine, and is ignored: http.host counts, 127.0.0.1 unless it is set.` +
      ' Write an address, such as 0.0.0.0 for all of them; COMMONS_HTTP_HOST is taken as it is.',
  }
}

function isOwnAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.process(text)
  if (['unspecified', 'loopback'].includes(address.range())) return true
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return own.some(
    each => ipaddr.process(each.address).toNormalizedString() === withoutZone(address.toNormalizedString()),
  )
}

/** Of a link-local address the interface stands behind it. */
const withoutZone = (address: string) => address.split('%', 1)[0]

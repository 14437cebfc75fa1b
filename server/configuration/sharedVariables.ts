import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isTimeZone } from './rules.ts'
import { zoneOfVariable } from './timeZoneVariable.ts'

/** The usable value of a variable; null when there is none. */
type Understood = { text: string | null; warning: string | null }

/**
 * Variables that systems and shells also set for themselves. The portal starts whatever they contain and says what it made of them; our
 * own variables of the same settings are checked strictly.
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

/** A host name is never looked up: shells set it, and its address may be public. */
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

/** A link-local address without its interface. */
const withoutZone = (address: string) => address.split('%', 1)[0]

import { onTestFinished } from 'vitest'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const pem = (kind: string, base64: string) => `-----BEGIN ${kind}-----\n${base64}\n-----END ${kind}-----\n`

/**
 * An authority that nobody trusts, and two servers that it vouches for until 2120. The keys are for tests alone: they
 * protect nothing.
 */
const AUTHORITY = pem(
  'CERTIFICATE',
  'MIIBdTCCARugAwIBAgIBATAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3JpdHkgb2YgdGhlIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAhMR8wHQYDVQQDDBZBdXRob3JpdHkgb2YgdGhlIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEcyz6XIhYvxl6Olgc7p7Pvww9LHZb4nd6Wiru/Fi9LBqVDrJjTcacxrH1gZh3JuSBCrNEGW5vvtj6nqNkSq82QKNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFNWz7fKeyJWcnLZ30xQwZKPG5hTXMAoGCCqGSM49BAMCA0gAMEUCIBGaCS7P0D2uJfyN0QmuQCeUgM2BjlLNTPrdmgWSVFz/AiEApxN2Cl7HZw2LcuHxflsdoX/9zI6C34zAEvk9T+gWr7c=',
)

/** For localhost and 127.0.0.1. */
export const LOCAL = {
  cert: pem(
    'CERTIFICATE',
    'MIIBlzCCAT2gAwIBAgIBAjAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3JpdHkgb2YgdGhlIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAcMRowGAYDVQQDDBFsZWFmIG9mIHRoZSB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHKT6XyULineBEhckhBHYpUAB9Xf7SK4Cz7UtNbynMs4XP63SZ24pocJoDR+Re/HNVFgECXW1PisSv452JbDJNSjaTBnMAkGA1UdEwQCMAAwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBQbI/vWUgmq1ZTmRWlj/ON/SjSM6jAfBgNVHSMEGDAWgBTVs+3ynsiVnJy2d9MUMGSjxuYU1zAKBggqhkjOPQQDAgNIADBFAiEAw6MAVX7Ix0o0xHYm51Ede19Uk+epBTvaaMT4QtMuQagCIEtN6n3sByDM3hVeVTVzu65a2R7yP5UUB9V5UHV0lOw+',
  ),
  key: pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHoEWbOJL8yXj5X58mJe5xnixpwAgucwwoN1+jt5Z+dChRANCAARyk+l8lC4p3gRIXJIQR2KVAAfV3+0iuAs+1LTW8pzLOFz+t0mduKaHCaA0fkXvxzVRYBAl1tT4rEr+OdiWwyTU',
  ),
}

/** For elsewhere.example. */
export const FOREIGN = {
  cert: pem(
    'CERTIFICATE',
    'MIIBmjCCAUCgAwIBAgIBAzAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3JpdHkgb2YgdGhlIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAdMRswGQYDVQQDDBJvdGhlciBvZiB0aGUgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATh54bGu8BwHdjb7XRuTNk3arle3BHySsVPijjVjRyliH8yfh1t+eXJfxz0QosUNb524v0ch6qwcaZu/sepnSRIo2swaTAJBgNVHRMEAjAAMBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMB0GA1UdDgQWBBSh864lJA+b3yifEqYvaFTsRQXl2TAfBgNVHSMEGDAWgBTVs+3ynsiVnJy2d9MUMGSjxuYU1zAKBggqhkjOPQQDAgNIADBFAiEAwV+4QvQX9GgjLx3H46qXALpRSWmBViD+kxZG6fUIHKECIEUlR3cvgnk2lKkyREVPZ8fsE/ZbmZWSA8qFky4wznB8',
  ),
  key: pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHplZi47NkQZM/LPWYKGiTQQffr+UhkCRSmYsqshaylyhRANCAATh54bGu8BwHdjb7XRuTNk3arle3BHySsVPijjVjRyliH8yfh1t+eXJfxz0QosUNb524v0ch6qwcaZu/sepnSRI',
  ),
}

/** Trusts the authority until the end of the test, as NODE_EXTRA_CA_CERTS does for a process. */
export function trustAuthority(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, AUTHORITY])
  onTestFinished(() => setDefaultCACertificates(before))
}

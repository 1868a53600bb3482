import { describe, expect, it } from 'vitest'
import { findDenial, findPageDenial } from '../../../src/server/admin/guard.ts'

const local = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:4010' } }
const withHeaders = (headers: Record<string, string>, remoteAddress = '127.0.0.1') => ({
  remoteAddress,
  headers: { host: '127.0.0.1:4010', ...headers },
})

describe('the admin API without a token', () => {
  it.each([
    ['this machine', local],
    ['this machine over IPv6', { remoteAddress: '::1', headers: { host: '[::1]:4010' } }],
    ['this machine, mapped', { remoteAddress: '::ffff:127.0.0.1', headers: { host: 'localhost:8080' } }],
    ['our own pages', withHeaders({ origin: 'http://127.0.0.1:4010', 'sec-fetch-site': 'same-origin' })],
  ])('lets in %s', (_name, caller) => {
    expect(findDenial(caller, null)).toBeNull()
  })

  it.each([
    ['another machine', withHeaders({}, '192.168.1.7')],
    ['a re-bound name', withHeaders({ host: 'evil.example' })],
    ['a name that only starts like ours', withHeaders({ host: 'localhost.evil.example' })],
    ['no Host', { remoteAddress: '127.0.0.1', headers: {} }],
    ['a foreign page', withHeaders({ origin: 'https://evil.example' })],
    ['a page of another port', withHeaders({ origin: 'http://127.0.0.1:3000' })],
    ['a page without an origin', withHeaders({ origin: 'null' })],
    ['a cross-site request', withHeaders({ 'sec-fetch-site': 'cross-site' })],
  ])('refuses %s', (_name, caller) => {
    expect(findDenial(caller, null)?.code).toBe('foreign-origin')
  })
})

describe('the admin API with a token', () => {
  it.each([
    ['the right token', 'Bearer s3cret', null],
    ['the scheme in another case', 'bearer s3cret', null],
    ['no token', '', 'unauthorized-admin'],
    ['another token', 'Bearer s3cret2', 'unauthorized-admin'],
    ['another scheme', 'Basic s3cret', 'unauthorized-admin'],
  ])('%s', (_name, authorization, code) => {
    const caller = withHeaders({ authorization, host: 'venue.test:4010' }, '10.0.0.9')
    expect(findDenial(caller, 's3cret')?.code ?? null).toBe(code)
  })

  it('still refuses foreign pages that have it', () => {
    const caller = withHeaders({ authorization: 'Bearer s3cret', origin: 'https://evil.example' })
    expect(findDenial(caller, 's3cret')?.code).toBe('foreign-origin')
  })
})

describe('the fixed files of a page', () => {
  const opened = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }

  it.each([
    ['the browser of this machine', local],
    ['a link on another site', withHeaders(opened)],
  ])('are there for %s', (_name, caller) => {
    expect(findPageDenial(caller, null)).toBeNull()
  })

  it.each([
    [
      'a script of another site',
      withHeaders({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
    ],
    ['a frame of another site', withHeaders({ ...opened, 'sec-fetch-dest': 'iframe' })],
    ['another machine', withHeaders({}, '192.168.1.7')],
    ['a re-bound name', withHeaders({ host: 'evil.example' })],
  ])('are refused to %s', (_name, caller) => {
    expect(findPageDenial(caller, null)?.code).toBe('foreign-origin')
  })

  it('need no token, and then are served to other machines', () => {
    expect(findPageDenial(withHeaders({ host: 'venue.test:4010' }, '10.0.0.9'), 's3cret')).toBeNull()
  })
})

// Before every request of the collection; Newman is told the variables.
const { HmacSHA256 } = require('crypto-js')
const target = pm.variables.replaceIn(pm.request.url.toString()).replace(/^https?:\/\/[^/]+/, '')
const body = pm.variables.replaceIn(pm.request.body?.raw ?? '')
const timestamp = String(Date.now())
const message = timestamp + pm.request.method + target + body
const signature = HmacSHA256(message, pm.environment.get('apiSecret')).toString()
pm.request.headers.upsert({ key: 'X-API-Timestamp', value: timestamp })
pm.request.headers.upsert({ key: 'X-API-Signature', value: signature })

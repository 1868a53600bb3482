import type * as BullMq from 'bullmq'
import { systemCode } from '../../journal/disk.ts'

export type QueuePackages =
  | { readonly ok: true; readonly bullmq: typeof BullMq }
  | { readonly ok: false; readonly problem: string }

/** BullMQ and its Redis client are loaded when a queue is used, so only users of a queue have to install them. */
export async function loadQueuePackages(): Promise<QueuePackages> {
  try {
    await import('ioredis')
    return { ok: true, bullmq: await import('bullmq') }
  } catch (error) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(systemCode(error))) throw error
    return { ok: false, problem: 'a queue needs BullMQ and ioredis: npm install bullmq ioredis' }
  }
}

/** Why a Redis server cannot be used, or null. BullMQ itself would wait for it for ever. */
export async function redisProblem(url: string): Promise<string | null> {
  const { Redis } = await import('ioredis')
  let reason = 'it does not answer'
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 })
  redis.on('error', (error: Error) => {
    reason = error.message
  })
  try {
    await redis.connect()
    await redis.ping()
    return null
  } catch {
    return `cannot reach ${withoutPassword(url)}: ${reason}`
  } finally {
    redis.disconnect()
  }
}

/** The address without its password. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//')
}

import { configureGlobal, readConfigureGlobal } from 'fast-check'

/** Properties draw the same cases on every run; `FC_SEED=random` or a number draws others and prints the seed. */
const wanted = process.env['FC_SEED'] ?? '7'
const seed = wanted === 'random' ? Date.now() % 2 ** 31 : Number(wanted)
if (wanted !== '7') console.error(`fast-check seed ${seed}`)
configureGlobal({ ...readConfigureGlobal(), seed })

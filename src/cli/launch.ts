#!/usr/bin/env node
import * as nodeModule from 'node:module'

/*
 * The entry point of the bundle. Node 22.8 and newer reuse the code that V8 compiled in an earlier run, which makes the
 * start faster.
 */
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function')
  nodeModule.enableCompileCache()
import('./main.ts').then(({ start }) => start())

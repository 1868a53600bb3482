#!/usr/bin/env node
import * as nodeModule from 'node:module'

/*
 * What `otcsim` runs in the bundle: it loads the command, where Node can do so (22.8 and newer) with the code that V8
 * compiled in an earlier run.
 */
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function')
  nodeModule.enableCompileCache()
import('./main.ts').then(({ start }) => start())

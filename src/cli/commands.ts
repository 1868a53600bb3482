import type { CommandRow } from './command-context.ts'

/** All commands in the order of the help. The first one runs when `otcsim` is called without a command. */
export const commands: readonly CommandRow[] = [
  {
    name: 'serve',
    group: 'Venues and scenarios:',
    summary: 'serve a venue over HTTP (the default command)',
    load: async () => (await import('./serve/serve.ts')).serveCommand,
  },
  {
    name: 'run',
    summary: 'run scenarios in virtual time and check their expectations',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  {
    name: 'backtest',
    group: 'Strategies:',
    summary: 'run a strategy in virtual time and print its figures',
    load: async () => (await import('./backtest/backtest.ts')).backtestCommand,
  },
  {
    name: 'sweep',
    summary: 'run a strategy over seeds and parameters, and tell luck from skill',
    load: async () => (await import('./sweep/sweep.ts')).sweepCommand,
  },
  {
    name: 'worker',
    summary: 'run cases of sweeps from a queue; start it in the folder of the strategy and the scenario',
    load: async () => (await import('./sweep/sweep.ts')).workerCommand,
  },
  {
    name: 'replay',
    group: 'Journals and failed tests:',
    summary: 'replay a journal, and compare every outcome with what was recorded',
    load: async () => (await import('./journal/replay.ts')).replayCommand,
  },
  {
    name: 'show',
    summary: 'open the console at the moment at which a test failed, from the journal that it kept',
    load: async () => (await import('./journal/show.ts')).showCommand,
  },
  {
    name: 'explain',
    summary: 'say what became of the orders and quotes of a journal, and why each was filled',
    load: async () => (await import('./journal/explain.ts')).explainCommand,
  },
  {
    name: 'diff',
    summary: 'find the first line in which two journals differ, and say why',
    load: async () => (await import('./journal/diff.ts')).diffCommand,
  },
  {
    name: 'shrink',
    summary: 'find the shortest part of a journal that still shows a failure',
    load: async () => (await import('./journal/shrink.ts')).shrinkCommand,
  },
  {
    name: 'exec',
    group: 'Clients under test:',
    summary: 'run a program beside a venue of its own, and pass on its exit code',
    load: async () => (await import('./matrix/exec.ts')).execCommand,
  },
  {
    name: 'matrix',
    summary:
      "run a client's own tests under every reading and fault, each in its own world, and say what breaks them",
    load: async () => (await import('./matrix/matrix.ts')).matrixCommand,
  },
  {
    name: 'record',
    summary: 'pass requests on to a real venue and keep them in a recording, for drift',
    load: async () => (await import('./drift/record.ts')).recordCommand,
  },
  {
    name: 'drift',
    summary: 'say which readings a recording of the real venue proves or refutes',
    load: async () => (await import('./drift/drift.ts')).driftCommand,
  },
  {
    name: 'curl',
    group: 'Requests:',
    summary: 'send one signed request to a running venue',
    load: async () => (await import('./request.ts')).curlCommand,
  },
  {
    name: 'sign',
    summary: 'print the authentication headers of a request, without sending it',
    load: async () => (await import('./request.ts')).signCommand,
  },
  {
    name: 'keys',
    summary: 'list the keys of a running venue',
    load: async () => (await import('./request.ts')).keysCommand,
  },
  {
    name: 'init',
    group: 'Files and settings:',
    summary: 'write a configuration and a first scenario, and say what to do next',
    load: async () => (await import('./setup.ts')).initCommand,
  },
  {
    name: 'validate',
    summary: 'check scenario files without running them',
    load: async () => (await import('./scenario/validate.ts')).validateCommand,
  },
  {
    name: 'schema',
    summary: 'print a JSON Schema, for editors',
    load: async () => (await import('./scenario/validate.ts')).schemaCommand,
  },
  {
    name: 'openapi',
    summary: 'print the interface as an OpenAPI document',
    load: async () => (await import('./contract.ts')).openApiCommand,
  },
  {
    name: 'readings',
    summary: 'list the open points of the specification and how each can be read',
    load: async () => (await import('./contract.ts')).readingsCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh, fish or powershell',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  {
    name: 'doctor',
    summary:
      'say what candle and trade files hold and how to use them; without files, what every option resolves to',
    load: async () => (await import('./setup.ts')).doctorCommand,
  },
  {
    name: 'fit',
    summary: 'fit the default market to a recording, and print it as a scenario with how near it comes',
    load: async () => (await import('./fit.ts')).fitCommand,
  },
  {
    name: 'paths',
    summary: 'draw the price paths of a scenario or a model over several seeds, as one HTML file',
    load: async () => (await import('./paths.ts')).pathsCommand,
  },
]

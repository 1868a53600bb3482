import { Command } from 'commander'
import { configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim doctor [FILE...]`: what recordings contain, or where every setting comes from. */
export function doctorCommand(terminal: Terminal): Command {
  return new Command('doctor')
    .description(
      'say what candle and trade files hold and how to use them; without files, what every option resolves to',
    )
    .argument('[files...]', 'CSV files of candles or trades, plain, gzip or zip')
    .option('--json', 'answer as one JSON document', false)
    .addOption(configOption())
    .action(async (files: readonly string[], options: { readonly json: boolean }, command: Command) => {
      if (files.length > 0) {
        const { examineFiles } = await import('./doctor.ts')
        examineFiles(files, options.json, terminal)
      } else {
        const { examineSettings } = await import('./doctor-settings.ts')
        await examineSettings(command, options.json, terminal)
      }
    })
}

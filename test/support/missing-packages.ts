import { argv } from 'node:process'
import { missingPackages } from './wanted-programs.ts'

/* For `.ci/run`: the packages of Debian, or of npm, that have what tests want and this machine lacks. */
console.log(missingPackages(argv[2] === 'npm' ? 'npm' : 'debian').join(' '))

import { missingPackages } from './wanted-programs.ts'

/* For `.ci/run`: the packages of Debian that have what tests want and this machine lacks. */
console.log(missingPackages().join(' '))

import type AdmZip from 'adm-zip'

/** Lists the files in a zip archive: no folders, and nothing that macOS adds beside each file (`__MACOSX/._NAME`). */
export function listZippedFiles(archive: AdmZip): readonly AdmZip.IZipEntry[] {
  return archive
    .getEntries()
    .filter(({ entryName, isDirectory }) => !isDirectory && !entryName.startsWith('__MACOSX/'))
}

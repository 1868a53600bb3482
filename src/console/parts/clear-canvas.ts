/** Empties a canvas, whatever it was drawn in: it is drawn in the page's pixels. Null where it has no room. */
export function clearCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { clientWidth, clientHeight } = canvas
  const ratio = window.devicePixelRatio
  // A canvas that is given a size gets new memory, also where the size is the same.
  const size = { width: Math.round(clientWidth * ratio), height: Math.round(clientHeight * ratio) }
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
  const context = clientWidth === 0 ? null : canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  context?.clearRect(0, 0, clientWidth, clientHeight)
  return context
}

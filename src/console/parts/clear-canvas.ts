/** Clears a canvas and sets it up to be drawn in CSS pixels. Returns null where the canvas has no size. */
export function clearCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { clientWidth, clientHeight } = canvas
  const ratio = window.devicePixelRatio
  // Setting a size allocates new memory, even if the size is the same.
  const size = { width: Math.round(clientWidth * ratio), height: Math.round(clientHeight * ratio) }
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
  const context = clientWidth === 0 ? null : canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  context?.clearRect(0, 0, clientWidth, clientHeight)
  return context
}

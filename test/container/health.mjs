/* The HEALTHCHECK of the container: exit code 1 when the venue is not ready. */

const port = process.env.OTCSIM_PORT ?? '4010'
const token = process.env.OTCSIM_ADMIN_TOKEN
const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
const status = await fetch(`http://127.0.0.1:${port}/__admin/health`, { headers }).then(
  (answer) => answer.status,
  () => 0,
)
process.exit(status === 200 ? 0 : 1)

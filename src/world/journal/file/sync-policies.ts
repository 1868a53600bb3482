/**
 * When what was written is forced to the disk. `os`: when the system likes, which survives the end of the process but
 * not a power cut. `group`: within 5 ms. `always`: before the answer.
 */
export const syncPolicies = ['os', 'group', 'always'] as const
export type SyncPolicy = (typeof syncPolicies)[number]

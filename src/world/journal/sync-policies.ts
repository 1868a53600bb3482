/**
 * When what was written is forced to the disk. `os`: when the system likes, which survives the end of the process but not
 * of the power. `group`: at most 5 ms later. `always`: before the answer.
 */
export const syncPolicies = ['os', 'group', 'always'] as const
export type SyncPolicy = (typeof syncPolicies)[number]

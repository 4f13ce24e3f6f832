/** What a session is for; without zod, so that the page can have it. */
export const SESSION_MODES = ["benchmark", "lab"] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

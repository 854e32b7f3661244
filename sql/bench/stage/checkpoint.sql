-- Begins every side with the same amount of log behind it. Rows: none. Locks: none.
checkpoint

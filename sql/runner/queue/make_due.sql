-- Makes every ready run due now: a replay does not wait out debounces or backoffs.
-- Rows: the number changed. Locks: those runs. Index: run_ready.
update run set due = now() where state = 'ready' and due > now()

-- Empties used-up slots of the event log and moves its writers on.
-- Rows: one: slots emptied. Locks: a used-up slot, ACCESS EXCLUSIVE, NOWAIT; the slot row.
-- The caller holds the cursor, so nobody folds meanwhile.
select rotate_event_log()

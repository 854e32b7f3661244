-- Checks whether a schema contains events or runs. The benchmark must not use a schema that contains events or runs.
-- Rows: one row with a boolean that is true if the schema contains events or runs. Locks: none.
select exists (select from event) or exists (select from run)

-- Returns the state of a run. $1: the run's id. $2: the run's job. $3: the run's key. Rows: one row with the state as
-- JSON, the `state` field, and the output as JSON. If no record of the run exists, all columns are null. Locks: none.
-- Indexes: see run_state.
select s::text, s ->> 'state', (s -> 'output')::text
from run_states(array[$1::bigint], array[$2::text], array[$3::text]) s

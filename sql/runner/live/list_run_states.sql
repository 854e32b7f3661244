-- Returns the states of runs for a feed. $1: the ids that enqueue returned. $2: the jobs. $3: the keys. Rows: one row
-- for each run, in array order, with the state as JSON excluding the output, and the output as JSON. If no record of
-- the run exists, the state and the output are null. Locks: none. Indexes: see run_state.
select (state - 'output')::text, (state -> 'output')::text
from run_states($1, $2, $3) with ordinality s (state, number)
order by number

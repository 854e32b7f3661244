-- Advances open batches, as described in the advance_batches function. $1: the maximum number of members per batch in
-- one pass. $2: true to advance all open batches, false to advance only batches whose pass is due. $3: true to also
-- advance batches that became due more than a minute ago. Rows: one row with the number of ended members and batches,
-- whether another call could count more members, ids of batches to cancel, ids of batches to retry. Locks: see
-- advance_batches. Index: batch_due.
select progress, has_more, array_to_string(cancelling, ' '), array_to_string(retrying, ' ')
from advance_batches($1, $2, $3)

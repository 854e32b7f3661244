-- The cost in rows of a recompute of a board, estimated from the present boards. Rows: one: how often ranks were
-- published; the average rows read by one recompute (entries, standings and version) and the average of the most rows
-- written (standings and version), weighted by how often each board was published, both in tenths, null if nothing was
-- published; runs of recompute-ranks and the number of their batches. Locks: none. It is an estimate: the rows that a
-- recompute read and wrote are not stored, so each board counts with its present size.
with board as (
  select v.rank_version,
    (select count(*) from entry e where e.challenge_id = v.challenge_id) as entries,
    (select count(*) from standing s where s.challenge_id = v.challenge_id) as standings
  from board_version v
  where v.rank_version > 0
)
select coalesce(sum(b.rank_version), 0)::bigint,
  round(10 * sum(b.rank_version * (b.entries + b.standings + 1)) / sum(b.rank_version))::bigint,
  round(10 * sum(b.rank_version * (b.standings + 1)) / sum(b.rank_version))::bigint,
  coalesce((select a.runs from job_activity a where a.job = 'recompute-ranks'), 0),
  coalesce((select a.batches from job_activity a where a.job = 'recompute-ranks'), 0)
from board b

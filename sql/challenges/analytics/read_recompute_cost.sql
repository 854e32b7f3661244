-- What a recompute of a board costs in rows, by the boards that are there. Rows: one: how often ranks were published;
-- of one time, weighted by how often each board was, the rows read (its entries, its standings and its version) and
-- the most that are written (its standings and its version), both in tenths, null where nothing was; runs of
-- recompute-ranks and the batches that they came in. Locks: none.
-- Derived: what one of them has read and written is kept nowhere, so boards count as large as they are now.
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

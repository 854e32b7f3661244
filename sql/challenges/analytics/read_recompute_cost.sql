-- Estimates how many rows a recompute of a board reads and writes. A recompute reads entries, standings and the
-- version, and writes at most standings and the version. The actual numbers are not stored, so the estimate uses each
-- board's present size, weighted by its number of rank changes. Rows: one: rank changes, average rows read, average
-- of the most rows written, runs of recompute-ranks, batches of these runs. The two averages are in tenths, and null
-- without a rank change. Locks: none.
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

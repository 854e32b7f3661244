-- Ends presences whose deadline has passed, and automatic presences whose device has stopped reporting, the oldest
-- first. The `end-stale-presences` job calls the function. A deadline has passed here if the run of `auto-check-out` is
-- late, was discarded or died. If another transaction has locked a presence, the next run of the job ends the presence.
-- If a report's time is in the future, it was recorded while the clock was wrong, and the silence begins now. Rows: the
-- number of ended presences. Locks: the presences, SKIP LOCKED, and the visits of the presences. Indexes: presence_due,
-- presence_silent.
create or replace function check_out_silent(most integer) returns integer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
  due bigint[];
begin
  perform require_read_committed();
  update presence p set heard_at = at
  where p.id = any (array(
    select f.id
    from presence f
    where f.is_present and f.source = 'automatic' and f.heard_at > at + interval '1 minute'
    order by f.heard_at
    limit most
    for update skip locked));
  due := array(
    select p.id from presence p where p.deadline <= at order by p.deadline limit most for update skip locked);
  return settle_presences(due || array(
    select p.id
    from presence p
    where p.is_present and p.source = 'automatic' and p.heard_at <= at - longest_silence() and p.id <> all (due)
    order by p.heard_at
    limit most - cardinality(due)
    for update skip locked), at);
end $$

-- Ends automatic presences without a recent report of the device, longest silence first. It is for the job; the next
-- run ends presences that another transaction locks now. Rows: how many ended. Locks: presences, SKIP LOCKED, their
-- visits. Index: presence_silent.
create or replace function check_out_silent(most integer) returns integer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
begin
  return settle_presences(array(
    select p.id
    from presence p
    where p.is_present and p.source = 'automatic' and p.heard_at <= at - longest_silence()
    order by p.heard_at
    limit most
    for update skip locked), at);
end $$

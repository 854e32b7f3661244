-- Returns waiting and running runs whose redacted keys begin with a text, for roles that may not read keys. If `of_job`
-- is null, the function searches all jobs. At most 51 runs are returned, ordered by job, redacted key and id. Only
-- redacted keys decide which runs are returned and in which order. Raw keys would let a caller guess redacted
-- characters one by one. A caller must not be able to confirm a guessed key by the duration of a call or by
-- PostgreSQL's statistics of index reads. The index on raw keys is therefore searched only for the whole text, and for
-- keys that begin with the text up to the last separator. No address or password begins before this separator. For each
-- job, at most 10,000 found runs are compared with the text. Index: run_pkey.
-- needs: redacted, whole_words
create or replace function find_keyed_runs(of_job text, of_state text, beginning text)
returns table (id bigint, job text, key text, state text, attempt integer, at timestamptz,
  first_event_at timestamptz, error text, worker text)
language sql stable security definer set search_path from current as $$
with part as materialized (
  select coalesce(substring(beginning from '^(?:[A-Za-z0-9_.-]+[/:=])+'), '') as ahead
),
bound as materialized (
  select case when redacted(p.ahead || 'x') = p.ahead || 'x' then p.ahead else '' end as low,
    case when redacted(beginning) = beginning then beginning end as whole
  from part p
)
select f.id, f.job, f.hidden_key, f.state, f.attempt, f.at, f.made_at,
  left(redacted(whole_words(f.last_error, 2000)), 500), (select w.name from worker w where w.id = f.worker)
from bound b, (select name from job where of_job is null or name = of_job) j, lateral (
  select r.id, r.job, k.hidden_key, s.state, r.attempt, case when isfinite(r.due) then r.due else r.run_at end as at,
    least(r.first_event_at, r.asked_at) as made_at, r.last_error, r.worker
  from (
    (select * from run e where e.job = j.name and e.key = b.whole)
    union all
    (select *
    from (
      select * from run n
      where n.job = j.name and n.key >= b.low and n.key < b.low || chr(1114111)
      order by n.key, n.state
      limit 10000) n
    where n.key is distinct from b.whole)) r, lateral (
    select case when r.worker is not null then 'running' when r.due <= pg_catalog.now() then 'ready'
      else 'delayed' end as state) s, lateral (select redacted(r.key) as hidden_key offset 0) k
  where (of_state is null or s.state = of_state) and starts_with(k.hidden_key, beginning)
  order by k.hidden_key, r.id
  limit 51) f
order by j.name, f.hidden_key, f.id
limit 51
$$

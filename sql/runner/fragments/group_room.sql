-- Computes the number of additional runs of a group that may start now, in the `room` column (null: unlimited). `g`
-- contains the group, and `a` contains the limits of a group (runs, step, burst, first_claim). $1: the job's name.
-- Rows: one row, as a subquery of the statement that includes the fragment. Locks: none. Indexes: run_limited,
-- limit_start_newest, group_limit_pkey. The fragment reads group_limit itself, because calls to group_cap for each
-- group took a third of a claim's time. OFFSET 0 prevents the planner from searching group_limit twice.
    select least(
      case when coalesce(o.cap, a.runs) is not null then coalesce(o.cap, a.runs) - (
        select count(*) from run b
        where b.job = $1 and b.state = 'running' and b.group_key = g.group_key
          and b.claim_number >= a.first_claim) end,
      case when a.step is not null then a.burst - ceil(extract(epoch from greatest('0', (
          select s.rested_at from limit_start s where s.job = $1 and s.group_key = g.group_key
            and s.rested_at > now()
          order by s.rested_at desc limit 1) - clock_timestamp()))
        / extract(epoch from a.step)) end)::bigint as room
    from (select (
      select case when c.paused_at is not null then 0 else c.concurrency end from group_limit c
      where c.job = $1 and c.group_key = g.group_key) as cap offset 0) o

-- Finds the runs of the `picked` CTE that may start now. If a group may start N runs, its first N picked runs are
-- returned. The statement that includes the fragment defines `picked` (place, group_key, nth_picked) and `own`, as in
-- the full_group fragment. If the job's groups have no limits, all picked runs are returned. $1: the job's name. The
-- fragment is a subquery. Rows: the places of the runs. Locks: none. Indexes: run_limited, limit_start_newest,
-- group_limit_pkey.
  select n.place
  from (
    select place, group_key, row_number() over (partition by group_key order by nth_picked) as nth from picked) n
  left join (
    select g.group_key, r.room
    from (select distinct group_key from picked) g, (
      select l.*, own.first_claim from (
      -- include: group_limits
      ) l
      where l.runs is not null or l.step is not null
    ) a, lateral (
    -- include: group_room
    ) r
    offset 0) v on v.group_key = n.group_key
  where v.room is null or n.nth <= v.room

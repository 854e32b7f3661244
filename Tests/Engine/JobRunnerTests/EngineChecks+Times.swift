/// No run begins before it is due, and the histories of runs are consistent.
extension EngineCheck {
  static let dues = [
    Self(
      "a worker claims no run before its due",
      """
      select format('run %s of %s %s at %s, due %s', (c.was).id, c.job, c.key, c.at, (c.was).due)
      from claimed c
      where c.worker not like '%' || $1 and ((c.was).due > c.at or (c.was).backoff_until > c.at)
      """),
    Self(
      "a run is not due before its events say",
      """
      select format('run %s of %s %s at %s, not before %s', (c.was).id, c.job, c.key, c.at, w.earliest)
      from claimed c join job j on j.name = c.job,
      lateral (
        select least((c.was).run_at, (c.was).last_event_at + j.quiet, (c.was).first_event_at + j.at_most)
          as earliest) w
      where c.worker not like '%' || $1 and j.every is null and w.earliest > c.at
        and not exists (select from came_back b where b.id = any (c.ids))
      """),
    // The numbers of the calls determine which calls count. Returned, dead and retried runs wait for
    // their next attempt instead (view came_back). If calls of several clients are merged with a call
    // with `replace`, the engine does not store the first time of the calls that count
    // (merge_waits.sql). In this case, the longest wait may begin at any call of the run.
    Self(
      "the calls of a run make its due",
      """
      select format('run %s of %s %s at %s, not before %s', (c.was).id, c.job, c.key, c.at, d.earliest)
      from claimed c join job j on j.name = c.job,
      lateral (
        select max(r.event) as event from asked r where r.run_id = any (c.ids) and r.replaces) r,
      lateral (
        select min(a.run_at) filter (where a.counts) as run_at,
          max(a.recorded_at) filter (where a.counts and a.run_at is null) as last,
          min(a.recorded_at) filter (where a.counts and a.run_at is null) as first,
          min(a.recorded_at) as first_of_all,
          r.event is null or count(distinct a.lane) filter (where a.counts) = 1 as is_exact
        from (
          select a.*, a.event >= coalesce(r.event, 0) as counts from asked a
          where a.job = c.job and a.key = c.key
            and (a.run_id = any (c.ids) or a.run_id is null
              and a.recorded_at between (c.was).first_event_at and (c.was).last_event_at)) a) w,
      lateral (
        select least(w.run_at, w.last + j.quiet,
          case when w.is_exact then w.first when w.first is not null then w.first_of_all end + j.at_most)
          as earliest) d
      where c.worker not like '%' || $1 and j.every is null and d.earliest > c.at
        and not exists (select from came_back b where b.id = any (c.ids))
      """),
    Self(
      "runs of a throttled key are an interval apart",
      """
      select format('runs %s and %s of %s %s are due at %s and %s', before.id, after.id, after.job,
        after.key, before.due, after.due)
      from (
        select l.n, (l.now).* , lag(l.n) over (partition by (l.now).job, (l.now).key order by l.n) as n_before
        from life l
        where l.op = 'INSERT' and (l.now).state = 'ready' and (l.now).attempt = 0
          and not exists (select from came_back b
            where b.id = any ((l.now).id || coalesce((l.now).earlier_ids, '{}')))) after
      join life lb on lb.n = after.n_before
      cross join lateral (select (lb.now).*) before
      join job j on j.name = after.job
      where $1::text <> '' and j.every is not null
        and not exists (select from asked a
          where a.job = after.job and a.key = after.key and (a.run_at is not null or a.replaces))
        and after.due < before.due + j.every
      """),
    Self(
      "a failed attempt is followed by its wait",
      """
      select format('run %s of %s %s failed at %s and began at %s: %s', f.run_id, f.job, f.key, f.ended_at, c.at, f.error)
      from failed_attempt f join job j on j.name = f.job
      -- A snooze is recorded as a failed attempt, and waits for its own time (Behavior.snooze).
      cross join lateral (select case when f.is_snooze then interval '30 ms'
        else least(j.first_wait * power(2, f.attempt - 1), j.longest_wait) / 2 end as shortest) w
      join claimed c on c.job = f.job and c.key = f.key and f.run_id = any (c.ids) and c.at > f.ended_at
      where c.worker not like '%' || $1 and f.began_at is not null and c.at < f.ended_at + w.shortest
        and not exists (select from death x where f.run_id = any ((x.dead).id || (x.dead).earlier_ids))
      """),
  ]

  static let lives = [
    Self(
      "a job with history has one row for each end, other jobs have none",
      """
      select format('run %s of %s %s: %s, %s rows', e.id, e.job, e.key, e.how, h.rows) from ended e,
      lateral (select count(*) as rows from run_history h where h.id = e.id and h.outcome = e.how) h
      where $1::text <> '' and e.how in ('done', 'dead')
        and case when e.keeps_history then h.rows = 0 else h.rows > 0 end
      """),
    Self(
      "a run that fails dies in its last attempt",
      """
      select format('run %s of %s %s died in attempt %s of %s', (x.dead).id, (x.dead).job, (x.dead).key,
        (x.dead).attempt, j.attempts)
      from death x join job j on j.name = (x.dead).job
      where $1::text <> '' and x.op = 'INSERT' and (x.dead).error = 'the payload asks for a failure'
        and (x.dead).attempt not between j.attempts and j.attempts + (
          -- The death of a worker that has only this run counts as an attempt and ends no run.
          select count(*) from failed_attempt f where f.run_id = (x.dead).id and f.began_at is null)
      """),
    Self(
      "a dead run has its failed attempt",
      """
      select format('run %s of %s %s', (x.dead).id, (x.dead).job, (x.dead).key) from death x
      where $1::text <> '' and x.op = 'INSERT'
        and not exists (select from failed_attempt f where f.run_id = (x.dead).id)
      """),
  ]
}

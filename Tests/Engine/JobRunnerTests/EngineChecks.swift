import BatonPostgres

/// The invariants after a script.
///
/// They are queries on the journal, and each returned row is a violation.
///
/// `$1` is the end of the names of this process's workers. An operator requested the runs of these
/// workers, and an operator does not wait.
struct EngineCheck: Sendable {
  let name: String
  let query: Statement

  init(_ name: String, _ query: String) {
    self.name = name
    self.query = Statement("test/check " + name, query)
  }

  static let all = losses + records + limits + dues + payloads + lives

  // MARK: Nothing is lost and nothing is done twice

  private static let losses = [
    Self(
      "a call's run ended",
      """
      select format('call %s, run %s of %s %s', a.call, a.run_id, a.job, a.key) from asked a
      where $1::text <> '' and a.run_id is not null
        and not exists (select from ended e
          where a.run_id = any (e.ids) and e.how in ('done', 'cancelled'))
        and not exists (select from discarded d where a.run_id = any (d.ids))
      """),
    Self(
      "an id is done once",
      """
      select format('run %s of %s %s is done %s times', i.id, e.job, e.key, count(*))
      from ended e, unnest(e.ids) i (id)
      where $1::text <> '' and e.how = 'done'
      group by i.id, e.job, e.key having count(*) > 1
      """),
    // Runs do not contain events without an id, so the check compares times. A call with `replace`
    // moves the first time of its run, so the check compares numbers if the run has such a call.
    // Only a call with `replace` and a higher number replaces an event.
    Self(
      "an event without an id is part of a run that ended",
      """
      select format('event of %s %s at %s', a.job, a.key, a.recorded_at) from asked a
      where $1::text <> '' and a.run_id is null
        and not exists (select from asked r
          where r.job = a.job and r.key = a.key and r.replaces and r.event > a.event)
        and not exists (select from ended e
          where e.job = a.job and e.key = a.key and e.how in ('done', 'cancelled')
            and (e.first_event_at <= a.recorded_at and e.last_event_at >= a.recorded_at
              or e.replaced_by < a.event and e.newest_event >= a.event))
        and not exists (select from discarded d
          where d.job = a.job and d.key = a.key
            and (d.first_event_at <= a.recorded_at and d.at >= a.recorded_at
              or d.replaced_by < a.event and d.newest_event >= a.event))
      """),
    Self(
      "the queue is empty at the end",
      """
      select format('%s rows of %s', rows, name) from (
        select 'run', count(*) from run union all select 'dead_run', count(*) from dead_run
        union all select 'run_payload', count(*) from run_payload
        union all select 'run_progress', count(*) from run_progress
        union all select 'cancellation', count(*) from cancellation
        union all select 'unfolded_event', count(*) from unfolded_event) t (name, rows)
      where $1::text <> '' and rows > 0
      """),
  ]

  // MARK: Work is recorded once, and alone

  private static let records = [
    Self(
      "a done run has one record in its transaction",
      """
      select format('run %s of %s %s has %s records', e.id, e.job, e.key, w.records) from ended e,
      lateral (select count(*) as records from worked w where w.xact = e.xact and w.run_id = e.id) w
      where $1::text <> '' and e.how = 'done' and e.kind <> 'effect' and w.records <> 1
      """),
    Self(
      "a record belongs to a done run",
      """
      select format('record of run %s of %s %s', w.run_id, w.job, w.key) from worked w
      where $1::text <> '' and not exists (select from ended e
        where e.xact = w.xact and e.id = w.run_id and e.how = 'done')
      """),
    Self(
      "the last attempt of a done effect succeeded",
      """
      select format('run %s of %s %s', e.id, e.job, e.key) from ended e
      where $1::text <> '' and e.how = 'done' and e.kind = 'effect'
        and not exists (select from posted p
          where p.run_id = e.id and p.word = 'done' and p.n > (
            select max(b.n) from posted b where b.run_id = e.id and b.word = 'begin'))
      """),
    Self(
      "transactions of one key do not overlap",
      """
      select format('%s %s', job, key) from (
        select job, key, is_alone from worked union all select job, key, is_alone from stepped) w
      where $1::text <> '' and not is_alone
      """),
    Self(
      "effects of one key do not overlap",
      """
      select format('%s %s: run %s at %s and run %s at %s', a.job, a.key, a.run_id, a.at, b.run_id, b.at)
      from posted a join posted b using (job, key), lateral (
        select coalesce(min(at), 'infinity') as at from (
          select at from posted e where e.n > a.n and e.word = 'end' and e.process = a.process
            and e.run_id = a.run_id
          union all
          select at from killed k where k.process = a.process) e) ended
      where $1::text <> '' and a.word = 'begin' and b.word = 'begin' and a.n < b.n and b.at < ended.at
      """),
  ]

  // MARK: Limits

  private static let limits = [
    Self(
      "limits are not exceeded",
      """
      select format('%s run of %s, %s of the group of %s', c.running, c.job, c.of_group, c.key)
      from claimed c
      where $1::text <> '' and (c.running > c.most_running or c.of_group > c.most_of_group)
      """),
    // The count of a claim does not contain claims of transactions that were still open.
    Self(
      "concurrent claims do not exceed limits",
      """
      select format('%s run of %s, %s of the group of %s', c.running, c.job, c.of_group, c.key)
      from counted c
      where $1::text <> '' and (c.running > c.most_running or c.of_group > c.most_of_group)
      """),
    Self(
      "a claimed run is in the group of its payload",
      """
      select format('run %s of %s %s in the group %s: %s', (c.now).id, c.job, c.key,
        (c.now).group_key, (c.now).payload)
      from claimed c join job j on j.name = c.job join job_limit l on l.job = c.job
      where $1::text <> '' and l.group_field is not null and not j.keeps_payloads
        and (c.now).group_key is distinct from coalesce((c.now).payload ->> l.group_field, '')
      """),
    Self(
      "rates are not exceeded",
      """
      select format('%s more starts of %s than its rate allows', excess, job) from (
        select job, burst, nth - extract(epoch from at) / step
          - min(nth - 1 - extract(epoch from at) / step) over (partition by job order by at, nth)
          as excess
        from (
          select c.job, c.at, l.burst, extract(epoch from l.start_interval) as step,
            row_number() over (partition by c.job order by c.at, c.n) as nth
          from claimed c join job_limit l on l.job = c.job
          where l.start_interval is not null) s) e
      where $1::text <> '' and excess > burst + 0.01
      """),
    Self(
      "rates of groups are not exceeded",
      """
      select format('%s more starts of group %s of %s than its rate allows', excess, group_key, job) from (
        select job, group_key, burst, nth - extract(epoch from at) / step
          - min(nth - 1 - extract(epoch from at) / step) over (partition by job, group_key order by at, nth)
          as excess
        from (
          select c.job, (c.now).group_key, c.at, l.group_burst as burst, extract(epoch from l.group_interval) as step,
            row_number() over (partition by c.job, (c.now).group_key order by c.at, c.n) as nth
          from claimed c join job_limit l on l.job = c.job
          where l.group_interval is not null) s) e
      where $1::text <> '' and excess > burst + 0.01
      """),
  ]
}

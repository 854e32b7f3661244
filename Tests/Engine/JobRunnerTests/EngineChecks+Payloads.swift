/// The newest payload counts, or all payloads are delivered once and in order.
///
/// One sequence numbers the events of all clients. Among the calls of one run, these numbers define
/// the order. Between two runs, only the calls of one client have an order, because a call that is
/// committed late becomes a separate run.
extension EngineCheck {
  static let payloads = [
    Self(
      "the payload is that of a call of the run",
      """
      select format('run %s of %s %s has the payload of call %s', e.id, e.job, e.key, e.payload ->> 'call')
      from ended e
      where $1::text <> '' and e.how = 'done' and e.payload is not null
        and not exists (select from asked a
          where a.call = (e.payload ->> 'call')::bigint and a.run_id = any (e.ids))
      """),
    Self(
      "a job gets the payload of its run",
      """
      select format('run %s of %s %s got the payload of call %s, and has that of call %s', e.id,
        e.job, e.key, g.newest, e.payload ->> 'call')
      from ended e, lateral (
        select w.newest from worked w where w.xact = e.xact and w.run_id = e.id
        union all
        select p.newest from (
          select p.newest from posted p where p.run_id = e.id and p.word = 'begin'
          order by p.n desc limit 1) p
        where e.kind = 'effect') g
      where $1::text <> '' and e.how = 'done' and not e.keeps_payloads
        and g.newest is distinct from (e.payload ->> 'call')::bigint
      """),
    // An operator's new payload counts as the newest call, but contains the number of an old call.
    // Returned runs and retried runs are merged by the numbers of their payloads.
    Self(
      "the newest payload of a run's calls counts",
      """
      select format('run %s of %s %s has the payload of call %s, call %s is newer', e.id, e.job, e.key,
        a.call, b.call)
      from ended e
      join asked a on a.call = (e.payload ->> 'call')::bigint
      join asked b on b.run_id = any (e.ids) and b.event > a.event
        and (b.payload is not null or b.replaces)
      where $1::text <> '' and e.how = 'done'
        and not exists (select from audit u
          where u.action = 'runs retry' and u.after ->> 'payload' = 'edited'
            and (u.subject ->> 'run')::bigint = any (e.ids))
      """),
    // A payload is not given if its own run is cancelled or discarded. A payload is also not given
    // if its run contains a call with `replace` and a higher number.
    Self(
      "every payload is given to one run that is done",
      """
      select format('call %s of %s %s was given to %s runs: %s', a.call, a.job, a.key, g.runs, g.ids)
      from asked a join job j on j.name = a.job, lateral (
        select count(*) as runs, array_agg(g.run_id) as ids from given g where a.call = any (g.calls)) g
      where $1::text <> '' and j.keeps_payloads and a.payload is not null and g.runs <> 1
        and (g.runs > 1
          or not exists (select from run_history h
              where h.outcome = 'cancelled' and a.run_id = any (h.id || coalesce(h.earlier_ids, '{}')))
            and not exists (select from discarded d where a.run_id = any (d.ids))
            and not exists (select from ended e
              join asked r on r.run_id = any (e.ids) and r.replaces and r.event > a.event
              where a.run_id = any (e.ids)))
      """),
    Self(
      "the payloads of a run arrive in order",
      """
      select format('%s %s: call %s arrives before call %s', a.job, a.key, b.call, a.call)
      from given g
      join asked a on a.call = any (g.calls)
      join asked b on b.call = any (g.calls) and b.event > a.event
      where $1::text <> '' and array_position(g.calls, b.call) < array_position(g.calls, a.call)
      """),
    // A dead run keeps its payloads until an operator retries the run, so later payloads of the key
    // arrive first.
    Self(
      "payloads of one client arrive in order",
      """
      select format('%s %s: call %s arrives before call %s', a.job, a.key, b.call, a.call)
      from asked a join asked b on b.job = a.job and b.key = a.key and b.lane = a.lane
        and b.event > a.event
      join given ga on a.call = any (ga.calls)
      join given gb on b.call = any (gb.calls)
      where $1::text <> '' and gb.n < ga.n
        and not exists (select from death x where (x.dead).job = a.job and (x.dead).key = a.key)
      """),
    Self(
      "an effect has the same payloads in every attempt",
      """
      select format('run %s of %s %s has calls %s and %s', a.run_id, a.job, a.key, a.calls, b.calls)
      from posted a join posted b on b.run_id = a.run_id and b.n > a.n
      where $1::text <> '' and a.calls <> b.calls
      """),
  ]
}

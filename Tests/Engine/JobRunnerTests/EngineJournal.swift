import BatonPostgres

/// The tables in which the test's triggers record all changes of events and runs.
///
/// A record is written in the same transaction as the change, so the tables contain no change that
/// was rolled back.
enum EngineJournal {
  static func make(in stage: EngineStage) async throws {
    for statement in tables + functions + triggers + views { try await stage.sql(statement) }
  }

  /// Reads the calls with the key that a text contains, for a failure's message.
  static let callsOfKey = Statement(
    "test/calls_of_key",
    """
    select format('%s lane %s call %s run %s run_at %s%s %s', recorded_at, lane, call, run_id, run_at,
      case when replaces then ' replace' end, payload)
    from asked where $1 like '%' || job || ' ' || key || '%' order by recorded_at
    """)

  /// Reads all changes of the runs with the key that a text contains.
  static let lifeOfKey = Statement(
    "test/life_of_key",
    """
    select format('%s %s %s: %s %s -> %s %s %s due %s first %s last %s run_at %s attempt %s batch %s group %s '
      || 'payload %s%s', at, xact, op, (was).id, (was).state, (now).id, (now).state, (now).earlier_ids,
      (now).due, (now).first_event_at, (now).last_event_at, (now).run_at, (now).attempt, (now).batch_limit,
      (now).group_key, (now).payload ->> 'call', case when (now).replaced_by is not null then ' replaces' end)
    from life where $1 like '%' || coalesce((was).job, (now).job) || ' ' || coalesce((was).key, (now).key) || '%'
    order by n
    """)

  private static let tables = [
    """
    create table asked (n bigint generated always as identity primary key, lane text, topic text,
      job text, key text, call bigint, payload jsonb, event bigint, recorded_at timestamptz,
      run_id bigint, run_at timestamptz, replaces boolean)
    """,
    """
    create table life (n bigint generated always as identity primary key,
      at timestamptz default clock_timestamp(), xact xid8 default pg_current_xact_id(), op text,
      was run, now run, worker text, running bigint, of_group bigint, most_running bigint,
      most_of_group bigint)
    """,
    """
    create table death (n bigint generated always as identity primary key,
      at timestamptz default clock_timestamp(), xact xid8 default pg_current_xact_id(), op text,
      dead dead_run)
    """,
    """
    create table worked (n bigint generated always as identity primary key,
      at timestamptz default clock_timestamp(), xact xid8 default pg_current_xact_id(), job text,
      key text, run_id bigint, attempt bigint, newest bigint, calls bigint[], is_alone boolean)
    """,
    "create table stepped (job text, key text, is_alone boolean)",
    """
    create table posted (n bigint generated always as identity primary key, word text, at timestamptz,
      process integer, job text, key text, run_id bigint, newest bigint, calls bigint[])
    """,
    // The ended worker processes. `how` is `killed` or `stopped`.
    "create table killed (process integer, at timestamptz, how text)",
  ]

  private static let functions = [
    """
    create function note_asked() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into asked (lane, topic, job, key, call, payload, event, recorded_at, run_id, run_at,
        replaces)
      select current_setting('test.lane', true), new.topic, j.name, new.key,
        (new.payload ->> 'call')::bigint, new.payload, new.id, new.recorded_at, new.run_id,
        new.run_at, coalesce(new.replaces, false)
      from job j where new.topic = 'enqueue/' || j.name or new.topic = any (j.topics);
      return null;
    end $$
    """,
    // A claim has locked the limits of its job, so no operator can change these limits meanwhile.
    """
    create function note_life() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into life (op, was, now, worker, running, of_group, most_running, most_of_group)
      select tg_op, old, new, (select name from worker w where w.id = new.worker),
        (select count(*) from run r where r.job = new.job and r.worker is not null),
        (select count(*) from run r
          where r.job = new.job and r.worker is not null and r.group_key = new.group_key),
        (select l.concurrency from job_limit l where l.job = new.job),
        (select coalesce(group_cap(l.job, new.group_key), l.group_concurrency)
          from job_limit l where l.job = new.job);
      return null;
    end $$
    """,
    """
    create function note_death() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into death (op, dead) values (tg_op, coalesce(new, old));
      return null;
    end $$
    """,
    """
    create function write_row(source text, key text) returns void language plpgsql as $$
    begin
      execute format('insert into %I (key) values ($1)', source) using key;
    end $$
    """,
    // A lock becomes free shortly after the commit that releases it becomes visible. At the commit,
    // the transaction first loses its id in pg_stat_activity, so a lock of a transaction with an id
    // belongs to an overlapping transaction. The locks are read at one moment, because the session
    // of a committed transaction could begin another transaction between two reads.
    """
    create function is_alone(job text, key text) returns boolean language plpgsql as $$
    declare
      own bigint := hashtextextended(job || '/' || key, 0);
    begin
      for attempt in 1..200 loop
        if pg_try_advisory_xact_lock(own) then return true; end if;
        -- Within a transaction, pg_stat_activity does not change otherwise.
        perform pg_stat_clear_snapshot();
        if exists (
          with held as materialized (select * from pg_locks where granted)
          select from held l
          join held x on x.pid = l.pid and x.locktype = 'transactionid'
          join pg_stat_activity a on a.pid = x.pid and a.backend_xid = x.transactionid
          where l.locktype = 'advisory' and l.objsubid = 1
            and l.database = (select oid from pg_database where datname = current_database())
            and (l.classid::bigint << 32 | l.objid::bigint) = own)
        then return false; end if;
        perform pg_sleep(0.005);
      end loop;
      return false;
    end $$
    """,
  ]

  private static let triggers =
    (0..<3).map {
      "create trigger note after insert on event_\($0) for each row execute function note_asked()"
    } + [
      """
      create trigger note_life after insert or update or delete on run
      for each row execute function note_life()
      """,
      """
      create trigger note_death after insert or delete on dead_run
      for each row execute function note_death()
      """,
    ]

  private static let views = [
    // Every row that was removed from `run`, with the reason: `returned` to the waiting runs,
    // `dead`, `cancelled` or `done`.
    """
    create view ended as
    select d.n, d.at, d.xact, (d.was).id, (d.was).job, (d.was).key, (d.was).payload,
      (d.was).id || coalesce((d.was).earlier_ids, '{}') as ids, (d.was).first_event_at,
      (d.was).last_event_at, (d.was).attempt, (d.was).worker is not null as was_running,
      (d.was).newest_event, (d.was).replaced_by, j.kind, j.keeps_payloads, j.keeps_history,
      case
        when exists (select from life b where b.xact = d.xact and (b.now).job = (d.was).job
            and (b.now).key = (d.was).key and (b.now).worker is null) then 'returned'
        when exists (select from death x
          where x.xact = d.xact and x.op = 'INSERT' and (x.dead).id = (d.was).id) then 'dead'
        when exists (select from run_history h
          where h.id = (d.was).id and h.outcome = 'cancelled' and h.xmin = d.xact::xid)
          then 'cancelled'
        else 'done' end as how
    from life d join job j on j.name = (d.was).job
    where d.op = 'DELETE'
    """,
    // Dead runs that an operator has discarded or cancelled, with the record of that action.
    """
    create view discarded as
    select x.at, (x.dead).job, (x.dead).key, (x.dead).first_event_at, (x.dead).newest_event,
      (x.dead).replaced_by, (x.dead).id || coalesce((x.dead).earlier_ids, '{}') as ids
    from death x
    where x.op = 'DELETE' and (
      exists (select from audit a where a.action = 'runs discard' and a.xmin = x.xact::xid)
      or exists (select from run_history h
        where h.id = (x.dead).id and h.outcome = 'cancelled' and h.xmin = x.xact::xid))
    """,
    // Every claim, with the claimed row.
    """
    create view claimed as
    select l.n, l.at, l.was, l.now, (l.now).job, (l.now).key, l.worker, l.running, l.of_group,
      l.most_running, l.most_of_group, (l.now).id || coalesce((l.now).earlier_ids, '{}') as ids
    from life l
    where (l.now).worker is not null and (l.op = 'INSERT' or (l.was).worker is null)
    """,
    // Every claim of a job with limits, with the number of claims that had begun and had not ended.
    // Records are numbered in the order of the changes, and an end is recorded before its commit.
    // The group is that of the payload. A job that receives all payloads may take payloads of
    // several groups.
    """
    create view counted as
    with ending as materialized (
      select n, (was).job, (was).key from life
      where (was).worker is not null and (op = 'DELETE' or (now).worker is null)
    ),
    held as materialized (
      select c.n, c.job, c.key, c.most_running, c.most_of_group,
        case when j.keeps_payloads or l.group_field is null then (c.now).group_key
          else coalesce((c.now).payload ->> l.group_field, '') end as in_group,
        (select min(e.n) from ending e
          where e.n > c.n and e.job = c.job and e.key = c.key) as end_n
      from claimed c join job j on j.name = c.job join job_limit l on l.job = c.job
    )
    select h.job, h.key, h.most_running, h.most_of_group, r.running, r.of_group
    from held h, lateral (
      select count(*) as running, count(*) filter (where o.in_group = h.in_group) as of_group
      from held o
      where o.job = h.job and o.n <= h.n and (o.end_n is null or o.end_n > h.n)) r
    """,
    // The payloads with which runs ended, for jobs that receive all payloads.
    """
    create view given as
    select e.n, w.run_id, w.calls from ended e join worked w on w.xact = e.xact and w.run_id = e.id
    where e.how = 'done' and e.keeps_payloads
    union all
    select e.n, e.id, p.calls from ended e, lateral (
      select p.calls from posted p where p.run_id = e.id and p.word = 'begin' order by p.n desc limit 1) p
    where e.how = 'done' and e.keeps_payloads and e.kind = 'effect'
    """,
    // Runs that were returned, and runs for payloads that another run left. The wait of these runs
    // is not the wait of their events.
    """
    create view came_back as
    select unnest(ids) as id from ended where how = 'returned'
    union
    select unnest((dead).id || coalesce((dead).earlier_ids, '{}')) from death
    union
    select (now).id from life where op = 'INSERT' and (now).state = 'ready' and (now).newest_event is null
    """,
  ]
}

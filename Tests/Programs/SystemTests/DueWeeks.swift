import TestSupport
import Testing

/// Groups with weeks that have ended by the real clock and are not closed.
///
/// No clock is simulated.
///
/// SQL creates the boards while no worker runs, because a worker would close them immediately.
struct DueWeeks {
  /// The instant at which the last week ended, as SQL.
  static let lastEnd = "date_trunc('week', now() at time zone 'UTC') at time zone 'UTC'"

  /// An instant in the last week at which a workout is accepted during the whole current week,
  /// because workouts may be seven days old.
  static let late = "\(lastEnd) - interval '1 microsecond'"

  let schema: TestSchema

  /// Returns the Monday that is a number of weeks before the current week.
  func monday(_ weeksAgo: Int) async throws -> String {
    let rows = try await schema.sql(
      "select date_trunc('week', now() at time zone 'UTC')::date - 7 * \(weeksAgo)")
    return try #require(rows.first)
  }

  /// Creates groups with members, boards of past weeks and entries with ties.
  ///
  /// - Parameter isSilent: whether the boards wake no worker, as if they had been created in their
  ///   weeks.
  func make(
    _ prefix: String = "g", groups: Int, members: Int, weeks: [Int],
    isSilent: Bool = false
  ) async throws {
    // Otherwise, a fold would find no job that subscribes to the events of the entries, and would
    // drop the events.
    if try await schema.sql("select from job").isEmpty {
      try await schema.gymrats.succeed("migrate")
    }
    try await schema.sql("update setting set grace = '0'")
    try await schema.sql(
      """
      insert into groups (id, name, max_members)
      select '\(prefix)' || g, '\(prefix)' || g, 1000 from generate_series(1, \(groups)) g
      """)
    try await schema.sql(
      """
      insert into users (id, display_name)
      select id || '-' || m, id || '-' || m from groups, generate_series(1, \(members)) m
      where id ~ '^\(prefix)[0-9]+$'
      """)
    try await schema.sql(
      """
      insert into member (group_id, user_id, joined_at)
      select split_part(id, '-', 1), id, now() - interval '2 years'
      from users where id ~ '^\(prefix)[0-9]'
      """)
    if isSilent { try await schema.sql("alter table challenge disable trigger challenge_inserted") }
    try await schema.sql(
      """
      insert into challenge (id, group_id, week_start, type)
      select challenge_id(g.id, w, t), g.id, w, t
      from groups g,
        (select date_trunc('week', now() at time zone 'UTC')::date - 7 * n as w
          from unnest(array\(weeks)) n) x,
        unnest(enum_range(null::challenge_type)) t
      where g.id ~ '^\(prefix)[0-9]+$'
      """)
    if isSilent { try await schema.sql("alter table challenge enable trigger challenge_inserted") }
    try await schema.sql(
      """
      insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name,
        last_updated)
      select c.id, m.user_id, 1 + ('x' || substr(md5(c.id::text || m.user_id), 1, 4))::bit(16)::integer % 4,
        c.starts_at, m.joined_at, m.user_id, c.starts_at
      from challenge c join member m on m.group_id = c.group_id
      where c.group_id ~ '^\(prefix)[0-9]+$'
      """)
  }

  /// Expects that each due week is closed, and that each board matches its entries.
  ///
  /// Each member must have one notification of the last week, and none of older weeks.
  func expectClosedOnce(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let open = try await schema.sql(
      "select group_id, week_start from challenge where state <> 'closed' and ends_at <= now()")
    #expect(open == [], "weeks that are open", sourceLocation: sourceLocation)
    let unmarked = try await schema.sql(
      """
      select c.group_id, c.week_start from challenge c
      left join closed_week w on w.group_id = c.group_id and w.week_start = c.week_start
      where c.state = 'closed' and w.group_id is null
      """)
    #expect(unmarked == [], "closed without a mark", sourceLocation: sourceLocation)
    let told = try await schema.sql(
      """
      select coalesce(m.user_id, n.user_id), n.times
      from (
        select user_id, group_id, week_start::text as week, count(*) as times
        from notification where type = 'week_ended' group by 1, 2, 3) n
      full join (
        select distinct m.user_id, m.group_id, c.week_start::text as week
        from member m join challenge c on c.group_id = m.group_id
        where c.state = 'closed' and c.ends_at = \(Self.lastEnd)) m
        on (m.user_id, m.group_id, m.week) = (n.user_id, n.group_id, n.week)
      where n.times is distinct from 1 or m.user_id is null
      """)
    #expect(told == [], "told wrongly: member, times", sourceLocation: sourceLocation)
    try await expectBoardsOfEntries(sourceLocation: sourceLocation)
  }

  /// Expects that every closed board displays its entries except for those with 0, ranked by the
  /// number of greater entries.
  func expectBoardsOfEntries(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let wrong = try await schema.sql(
      """
      select coalesce(e.challenge_id, s.challenge_id), user_id, e.value, s.value, s.rank
      from (select e.* from entry e join challenge c on c.id = e.challenge_id
        where c.state = 'closed' and e.value > 0) e
      full join (select s.* from standing s join challenge c on c.id = s.challenge_id
        where c.state = 'closed') s using (challenge_id, user_id)
      where (s.value, s.rank) is distinct from (e.value, (
        select count(*) + 1 from entry o
        where o.challenge_id = e.challenge_id and o.value > e.value))
      """)
    #expect(wrong == [], "boards unlike their entries", sourceLocation: sourceLocation)
    let boards = try await schema.sql("select count(*) > 0 from standing")
    #expect(boards == ["t"], "nothing was published", sourceLocation: sourceLocation)
  }

  /// Returns a digest of every table, to show that no row was changed.
  func digests() async throws -> [String] {
    try await schema.sql(
      """
      select c.relname, md5(query_to_xml(format('select t::text from %I.%I t order by 1',
        n.nspname, c.relname), true, false, '')::text)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r' order by 1
      """)
  }

  /// Makes a statement on a table fail.
  func breakDown(_ when: String, _ table: String) async throws {
    try await schema.sql(
      """
      create or replace function break_down_\(table)() returns trigger language plpgsql as $$
      begin raise exception 'broken by the test'; end $$
      """)
    try await schema.sql(
      """
      create trigger break_down \(when) on \(table)
      for each statement execute function break_down_\(table)()
      """)
  }

  /// Makes the statement succeed again.
  func mend(_ table: String) async throws {
    try await schema.sql("drop trigger if exists break_down on \(table)")
    try await schema.sql("drop trigger if exists slow_down on \(table)")
  }
}

/// A change that an administrator or an intruder makes manually, and the expected finding of
/// `check`.
struct Widening: Sendable {
  /// The statements that a superuser executes.
  ///
  /// `{worker}` is the role of a kind, `{schema}` and `{database}` are the places, and `{outsider}`
  /// is a role outside of the schema.
  let change: String
  /// The beginning of the finding.
  let finding: String
  /// The statements that undo the change, or nil if the finding's own statement does.
  let undo: String?

  init(_ change: String, _ finding: String, undo: String? = nil) {
    (self.change, self.finding, self.undo) = (change, finding, undo)
  }

  static let all = memberships + options + settings + privileges + functions + relations + others

  private static let memberships =
    [
      "pg_read_all_data", "pg_write_all_data", "pg_execute_server_program", "pg_signal_backend",
      "pg_read_server_files", "pg_write_server_files", "pg_monitor", "pg_checkpoint",
      "pg_read_all_stats",
    ].map { Widening("grant \($0) to {worker}", "{worker} can act as \($0)") }
    + ["owner", "definer", "migrator"].map {
      Widening("grant {\($0)} to {outsider}", "{outsider} can act as {\($0)}")
    } + [
      Widening("grant {owner} to {api}", "{api} can act as {owner}"),
      Widening("grant {outsider} to {api}", "{api} can act as {outsider}"),
      Widening("revoke {definer} from {owner}", "{owner} cannot act as {definer}"),
      Widening(
        "grant {worker} to {operator} with admin option",
        "{operator} may grant {worker} to any role"
      ),
    ]

  private static let options = [
    Widening("alter role {owner} login", "{owner} can log in"),
    Widening("alter role {definer} login", "{definer} can log in"),
    Widening("alter role {worker} inherit", "{worker} inherits"),
    Widening("alter role {api} noinherit", "{api} does not inherit"),
    Widening("alter role {operator} nologin", "{operator} cannot log in"),
    Widening("alter role {worker} superuser", "{worker} is a superuser"),
    Widening("alter role {worker} createrole", "{worker} is a superuser, makes roles"),
    Widening("alter role {api} createdb", "{api} is a superuser, makes roles or databases"),
    Widening("alter role {dashboard} replication", "{dashboard} is a superuser, makes roles"),
    Widening("alter role {user} bypassrls", "{user} is a superuser, makes roles"),
    Widening(
      "alter role {operator} valid until '2020-02-01 00:00Z'",
      "the password of {operator} expired on 2020-02-01 00:00 UTC"),
    Widening("alter role {worker} connection limit 0", "{worker} has 0 sessions of at most 0"),
    Widening(
      "alter role {outsider} login connection limit 0; grant {worker} to {outsider}",
      "{outsider} has 0 sessions of at most 0",
      undo: "alter role {outsider} nologin connection limit -1; revoke {worker} from {outsider}"),
  ]

  private static let settings = [
    Widening("alter role {worker} set search_path = public", "search_path is set for {worker}"),
    Widening(
      "alter role {api} in database {database} set row_security = off",
      "row_security is set for {api}"),
    Widening(
      "alter role {user} set request.jwt.claims = 'x'", "request.jwt.claims is set for {user}"),
    Widening(
      "alter database {database} set zero_damaged_pages = on",
      "zero_damaged_pages is set for all roles"),
    Widening(
      "alter database {database} set search_path = public", "search_path is set for all roles"),
    Widening(
      "grant set on parameter log_statement to {worker}", "{worker} may set the parameter"),
    Widening(
      "grant alter system on parameter work_mem to {api}", "{api} may alter system the parameter"),
  ]

  private static let privileges = [
    Widening(
      "alter default privileges for role {owner} grant select on tables to {outsider}",
      "{outsider} gets select on each new table of {owner}"),
    Widening(
      "alter default privileges for role {owner} in schema {schema} grant execute on routines to {anon}",
      "{anon} gets execute on each new routine of {owner}"),
    Widening(
      "alter default privileges for role {definer} grant execute on routines to public",
      "PUBLIC gets execute on each new routine of {definer}"),
    Widening("grant create on database {database} to {worker}", "{worker} may create schemas"),
    Widening("grant create on schema {schema} to {worker}", "{worker} may make things"),
    Widening("grant select (id) on users to {outsider}", "{outsider} may select on table users"),
    Widening("grant usage on schema {schema} to {outsider}", "{outsider} may usage on schema"),
    Widening("grant select on entry to public", "PUBLIC may select on table entry"),
    Widening("grant update (value) on entry to {anon}", "{anon} may write entry"),
    Widening(
      "grant select on entry to {worker} with grant option",
      "{worker} may grant select on table entry"
    ),
    Widening("grant truncate on run to {worker}", "{worker} may truncate run"),
    Widening("grant usage on sequence run_id_seq to {user}", "the sequence run_id_seq is:"),
    Widening(
      "grant execute on function purge_audit to {outsider}", "{outsider} may execute on routine"),
    Widening(
      "grant execute on function pg_read_file(text) to {worker}",
      "{worker} has rights on the function pg_catalog.pg_read_file("),
    Widening(
      "grant execute on function pg_read_file(text) to public",
      "PUBLIC may execute pg_read_file(text)"),
    Widening(
      "create table public.loot (n integer); alter table public.loot owner to {worker}",
      "{worker} owns the table public.loot", undo: "drop table public.loot"),
    Widening("alter table entry owner to {worker}", "the table entry is:"),
    Widening("alter type challenge_type owner to {worker}", "the type challenge_type belongs to"),
    Widening("alter table workout disable row level security", "the table workout has no row"),
    Widening("create policy loose on users using (true)", "the policy loose on users is not as"),
    Widening("alter policy self on users using (true)", "the policy self on users is:"),
  ]

  private static let others = [
    Widening(
      "create view public.spy as select * from invite; grant select on public.spy to {outsider}",
      "{outsider} can use public.spy, which accesses invite as "),
    Widening(
      """
      create view public.hidden as select * from invite;
      create materialized view public.copy as select id from public.hidden;
      grant select (id) on public.copy to public
      """, "PUBLIC can use public.copy, which accesses invite as ",
      undo: "drop view public.hidden cascade"),
    Widening(
      """
      create function public.read_all() returns bigint language sql security definer
      as 'select count(*) from {schema}.users'
      """, "PUBLIC can execute public.read_all(), which runs as "),
    Widening(
      """
      create function public.count_all() returns bigint language sql security definer
      return (select count(*) from users)
      """, "PUBLIC can execute public.count_all()", undo: "drop function public.count_all()"),
    Widening(
      "create publication {schema}_copy for table users", "the publication {schema}_copy sends"),
    Widening(
      "create publication {schema}_copy for tables in schema {schema}",
      "the publication {schema}_copy sends"),
    Widening(
      """
      create function public.see() returns event_trigger language plpgsql as 'begin end';
      create event trigger {schema}_see on ddl_command_end execute function public.see()
      """, "the event trigger {schema}_see executes", undo: "drop function public.see() cascade"),
  ]
}

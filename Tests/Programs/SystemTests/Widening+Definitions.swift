extension Widening {
  static let functions = [
    Widening(
      "alter function purge_audit set search_path = public, pg_temp",
      "the function purge_audit is not this program's: other settings"),
    Widening("alter function record_audit security invoker", "the function record_audit is not"),
    // Only a migration creates this function, so migrate does not replace it.
    Widening(
      "alter function day_partition security definer", "the function day_partition(",
      undo: "alter function day_partition security invoker"),
    Widening("alter function record_audit leakproof", "the function record_audit is not"),
    Widening("alter function record_audit owner to {owner}", "the function record_audit("),
    Widening(replaceBody, "the function record_audit is not this program's: the body differs"),
    // Even a session that can write the records cannot hide a changed function.
    Widening(
      replaceBody
        + """
        ;
        update object_definition
        set definition = encode(sha256(convert_to(pg_get_functiondef('record_audit'::regproc), 'UTF8')), 'hex')
        where kind = 'function' and name like 'record_audit(%'
        """, "the function record_audit is not this program's: the body differs"),
    Widening(
      "alter function enqueue rename to asked", "the function enqueue is not this program's",
      undo: "alter function asked rename to enqueue"),
    Widening(
      "create function append_events(text) returns text language sql return 'x'",
      "the function append_events(text) is not known to any migration"),
  ]

  /// Adds a comment to the body of a function that runs as its owner.
  private static let replaceBody = """
    do $$
    begin
      execute replace(pg_get_functiondef('record_audit'::regproc), '$function$', '$function$--');
    end $$
    """

  static let relations = [
    Widening("alter view due_run set (security_invoker = false)", "the view due_run has another"),
    Widening("alter view due_run set (security_barrier = true)", "the view due_run has another"),
    Widening(
      """
      do $$
      begin
        execute 'create or replace view dead_worker with (security_invoker = true) as '
          || replace(rtrim(pg_get_viewdef('dead_worker'::regclass), ';'), 'WHERE', 'WHERE true AND');
      end $$
      """, "the view dead_worker has another definition"),
    Widening(
      "create rule spy as on insert to users do also select 1", "the rule spy is not known"),
    Widening(
      """
      create function public.spy() returns trigger language plpgsql as 'begin return new; end';
      create trigger spy before insert on users for each row execute function public.spy()
      """, "the trigger spy is not known", undo: "drop function public.spy() cascade"),
    Widening("alter table audit disable trigger audit_changed", "the trigger audit_changed is:"),
    Widening("drop trigger audit_changed on audit", "the trigger audit_changed is gone"),
    Widening(
      "alter table audit enable always trigger audit_changed", "the trigger audit_changed is:"),
    Widening("alter table challenge disable trigger all", "the foreign keys is not known"),
    Widening(
      "alter table users alter column display_name drop not null", "the column display_name"),
    Widening("alter table users add column spy text", "the column spy is not known"),
    Widening(
      "alter table job alter column needs_key set default true", "the default needs_key is:"),
    Widening("alter table job drop constraint job_pkey cascade", "the constraint job_pkey is gone"),
    Widening(
      "alter table users add constraint spy check (true)", "the constraint spy is not known"),
    Widening("create unique index spy on users (display_name)", "the index spy is not known"),
    Widening(
      "alter table workout set schema public", "the table workout is gone",
      undo: """
        alter table public.workout set schema {schema}
        """),
    Widening(
      "create table public.child () inherits (users)", "the child public.child is not known",
      undo: "drop table public.child"),
    Widening(
      "alter sequence run_id_seq cycle", "the sequence run_id_seq is:",
      undo: """
        alter sequence run_id_seq no cycle
        """),
    Widening("create table spy (n integer)", "the table spy is not known", undo: "drop table spy"),
    Widening("create domain spy as text", "the type spy is not known", undo: "drop domain spy"),
    Widening(
      "create function same(users, users) returns boolean language sql return true; "
        + "create operator === (leftarg = users, rightarg = users, function = same)",
      "the operator ===(users,users) is not known",
      undo: "drop operator === (users, users); drop function same"),
    Widening(
      "create cast (users as text) with inout as implicit", "the cast (users as text) is not known"),
  ]
}

-- Appends a manual action to the audit log. The function must be called in the last statement of the action's
-- transaction. Until COMMIT, the row of audit_chain stays locked, and other manual actions wait. A session that holds
-- the lock on audit_chain waits for no other lock, so deadlocks are impossible. The function itself reads the session's
-- login and role. Person, host and program come from three settings. docs/concepts/security.md lists the contents of a
-- row.
-- needs: caller, audit_hash
create or replace function record_audit(action text, subject jsonb default '{}', before jsonb default null,
  after jsonb default null, filter jsonb default null, count bigint default null)
returns void
language plpgsql security definer set search_path from current as $$
declare
  chain audit_chain;
  entry audit;
begin
  -- The wait for the lock is limited, because another session may leave a transaction open.
  if current_setting('lock_timeout') in ('0', '0ms') then
    perform set_config('lock_timeout', '10s', true);
  end if;
  select * into chain from audit_chain for update;
  if not found then
    raise exception 'the audit has lost its chain, so nothing can be done by hand'
      using errcode = 'ZB015', hint = 'Nothing was changed. audit_chain was emptied: restore its row.';
  end if;
  -- The function reads the time after acquiring the lock, so that the rows are ordered by time.
  entry.at := clock_timestamp();
  entry.day := greatest((entry.at at time zone 'UTC')::date, chain.last_day);
  entry.number := case when entry.day = chain.last_day then chain.last_number + 1 else 1 end;
  entry.login := session_user;
  entry.role := caller();
  entry.os_user := left(nullif(current_setting('baton.os_user', true), ''), 128);
  entry.host := left(nullif(current_setting('baton.host', true), ''), 128);
  entry.program := left(nullif(current_setting('baton.program', true), ''), 128);
  entry.application := current_setting('application_name');
  entry.client := inet_client_addr();
  entry.action := record_audit.action;
  entry.subject := record_audit.subject;
  entry.before := record_audit.before;
  entry.after := record_audit.after;
  entry.filter := record_audit.filter;
  entry.count := record_audit.count;
  entry.previous := chain.last_hash;
  entry.hash := audit_hash(entry);
  insert into audit select entry.*;
  update audit_chain set last_day = entry.day, last_number = entry.number, last_hash = entry.hash;
end $$

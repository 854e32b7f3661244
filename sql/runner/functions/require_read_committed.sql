-- Raises an error if the transaction's isolation level is REPEATABLE READ or SERIALIZABLE. Functions reread data after
-- waiting for a row lock, and a snapshot from before the wait would contain outdated data. Errors: 25001.
create or replace function require_read_committed() returns void
language plpgsql stable as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'this call needs READ COMMITTED, and its transaction is %',
      upper(current_setting('transaction_isolation'))
      using errcode = '25001', constraint = 'wrongIsolation',
        hint = 'Nothing was changed. Begin the transaction with: begin isolation level read committed.';
  end if;
end $$

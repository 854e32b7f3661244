-- Returns the domain time, which all rules about dates and ages use. Statements call domain_now() instead, because
-- now() without a schema means pg_catalog.now(). The function has no COMMENT, because COMMENT ON now() would change
-- pg_catalog.now().
create or replace function now() returns timestamptz
language sql stable parallel safe
return domain_now();
